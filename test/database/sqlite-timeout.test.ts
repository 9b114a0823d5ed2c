import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { databaseProblem } from '../../src/database/database-problem.js';
import { apiKey, gate, safeClient } from '../support/sqlite.js';

test.each([
  ['waits', () => sleep(300)],
  // Its next statement is on its way when Prisma undoes the transaction.
  ['keeps the process busy', keepBusy],
])('a transaction that %s for too long is undone and frees the queue', async (_, takeLong) => {
  const { client } = await safeClient();
  const late = client.$transaction(
    async (tx) => {
      await tx.apiKey.create({ data: apiKey('slow') });
      await takeLong();
      await tx.apiKey.create({ data: apiKey('too late') });
    },
    { timeout: 100 },
  );
  const waiting = client.apiKey.create({ data: apiKey('waiting') });
  const error = await late.catch((reason: unknown) => reason);
  expect(databaseProblem(error)).toBe('timeout');
  await waiting;
  await client.$transaction((tx) => tx.apiKey.create({ data: apiKey('after') }));
  expect((await client.apiKey.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id)).toEqual(['after', 'waiting']);
});

test('a statement of a transaction that has ended changes nothing', async () => {
  const { client } = await safeClient();
  const ended = gate();
  let straggler: Promise<unknown> = Promise.resolve();
  await client.$transaction(async (tx) => {
    straggler = ended.opened.then(() => tx.apiKey.create({ data: apiKey('straggler') }));
  });
  ended.open();
  await expect(straggler).rejects.toMatchObject({ code: 'P2028' });
  expect(await client.apiKey.count()).toBe(0);
});

test('a transaction that waits too long to begin is refused as busy and leaves nothing behind', async () => {
  const { client } = await safeClient();
  const done = gate();
  const first = client.$transaction(() => done.opened);
  const second = client.$transaction((tx) => tx.apiKey.create({ data: apiKey('second') }), { maxWait: 50 });
  const error = await second.catch((reason: unknown) => reason);
  expect(databaseProblem(error)).toBe('busy');
  done.open();
  await first;
  await client.apiKey.create({ data: apiKey('after') });
  expect((await client.apiKey.findMany()).map(({ id }) => id)).toEqual(['after']);
});

test('closing lets what waits finish and refuses what comes later', async () => {
  const { client, path } = await safeClient();
  const { openSqlite } = await import('../../src/database/sqlite/open-sqlite.js');
  const adapter = await openSqlite(path);
  const insert = (id: string) =>
    adapter.executeRaw({
      sql: 'INSERT INTO "ApiKey" ("id", "name", "hash", "createdAt") VALUES (?, ?, ?, ?)',
      args: [id, 'test', id, '2026-01-31T09:30:00.000+00:00'],
      argTypes: Array.from({ length: 4 }, () => ({ scalarType: 'string' as const, arity: 'scalar' as const })),
    });
  const waiting = Array.from({ length: 10 }, (_, i) => insert(`${i}`));
  const closed = adapter.dispose();
  await expect(insert('late')).rejects.toMatchObject({ cause: { kind: 'ConnectionClosed' } });
  await Promise.all([...waiting, closed]);
  expect(await client.apiKey.count()).toBe(10);
  await expect(insert('later')).rejects.toMatchObject({ cause: { kind: 'ConnectionClosed' } });
  await expect(adapter.queryRaw({ sql: 'SELECT 1', args: [], argTypes: [] })).rejects.toMatchObject({
    cause: { kind: 'ConnectionClosed' },
  });
});

test('a statement that is refused leaves the transaction usable', async () => {
  const { client } = await safeClient();
  await client.apiKey.create({ data: apiKey('taken') });
  await client.$transaction(async (tx) => {
    await expect(tx.apiKey.create({ data: apiKey('taken') })).rejects.toMatchObject({ code: 'P2002' });
    await tx.apiKey.create({ data: apiKey('free') });
  });
  expect(await client.apiKey.count()).toBe(2);
});

test.each(['BEGIN', 'COMMIT', 'ROLLBACK', 'SAVEPOINT a', 'RELEASE group_member'])(
  '%s from outside is refused, since it would end the work of others',
  async (sql) => {
    const { client } = await safeClient();
    const outcomes = await Promise.allSettled([
      client.apiKey.create({ data: apiKey('before') }),
      client.$executeRawUnsafe(sql),
      client.$queryRawUnsafe(sql),
      client.$transaction((tx) => tx.$executeRawUnsafe(sql)),
      client.apiKey.create({ data: apiKey('after') }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(await client.apiKey.count()).toBe(2);
  },
);

function keepBusy(): void {
  const until = performance.now() + 300;
  while (performance.now() < until);
}
