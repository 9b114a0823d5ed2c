/** A connection of the pool on which nothing can go on is closed, and not given to the next caller. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/open-database.js';
import { connectionWaited, createPoolShare } from '../../src/database/postgresql/pool-share.js';
import { freshDatabaseUrl } from '../support/database.js';

async function opened(connections: number) {
  const url = await freshDatabaseUrl('postgresql');
  const admin = new pg.Client(url);
  await admin.connect();
  onTestFinished(() => admin.end());
  const open = async () => {
    const database = await openDatabase({ url: `${url}?connection_limit=${connections}`, migrate: false });
    onTestFinished(() => database.close());
    const read = async (sql: string, reach: 'bounded' | 'unbounded') =>
      database.read?.(sql, [], reach) ?? Promise.reject(new Error('There is no direct read'));
    return { database, read };
  };
  return { url, admin, open };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error) => error.code,
  );

test.each(['bounded', 'unbounded'] as const)(
  'after the type of a column has changed, %s reads go on: at most one fails on each connection',
  async (reach) => {
    const { admin, open } = await opened(5);
    await admin.query('CREATE TABLE "Changed" ("a" int); INSERT INTO "Changed" VALUES (1)');
    const { read } = await open();
    const ask = () => codeOf(read('SELECT "a" FROM "Changed"', reach));
    for (let count = 0; count < 8; count++) {
      expect(await ask()).toBe('ok');
      if (count === 3) await sleep(200);
    }
    await admin.query('ALTER TABLE "Changed" ALTER COLUMN "a" TYPE bigint');
    const answers: string[] = [];
    for (let count = 0; count < 10; count++) answers.push(await ask());
    expect(answers.filter((answer) => answer !== 'ok').length).toBeLessThan(4);
    expect(answers.slice(-3)).toEqual(['ok', 'ok', 'ok']);
  },
);

test('after the type of a column has changed, transactions of Prisma go on: at most one fails on each connection', async () => {
  const { admin, open } = await opened(2);
  await admin.query('CREATE TABLE "Changed" ("a" int); INSERT INTO "Changed" VALUES (1)');
  const { database } = await open();
  const ask = () =>
    database
      .transaction((tx) => tx.$queryRawUnsafe('SELECT "a" FROM "Changed" WHERE "a" > $1', 0))
      .then(
        () => 'ok',
        () => 'failed',
      );
  for (let count = 0; count < 10; count++) expect(await ask()).toBe('ok');
  await admin.query('ALTER TABLE "Changed" ALTER COLUMN "a" TYPE bigint');
  const answers: string[] = [];
  for (let count = 0; count < 6; count++) answers.push(await ask());
  expect(answers.slice(-4)).toEqual(['ok', 'ok', 'ok', 'ok']);
});

test('when a pool ends, everything that waits is told, and whoever gives a connection back does not notice', async () => {
  const { url } = await opened(1);
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 60_000 });
  const share = createPoolShare({ connections: 1, most: 1 }, 60_000, () => connectionWaited(60_000));
  const held = await pool.connect();
  let release = () => {};
  const holding = share.inTurn(undefined, () => new Promise<void>((resolve) => (release = resolve)));
  const caller = () => ({ keyId: 'one', isOver: false, whenOver: () => () => undefined });
  const waiting = Array.from({ length: 3000 }, () =>
    share.inTurn(caller(), () => pool.connect()).catch(({ message }) => message),
  );
  await Promise.resolve();
  const ended = pool.end();
  held.release();
  release();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['Cannot use a pool after calling end on the pool']));
  expect(share.waiting()).toBe(0);
  await holding;
  await ended;
});
