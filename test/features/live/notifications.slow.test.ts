/** Signals of commits between processes on PostgreSQL, and what happens without them. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { watchOtherProcesses } from '../../../src/change/journal/journal.js';
import { openDatabase } from '../../../src/database/open-database.js';
import { Notifications } from '../../../src/database/postgresql/notifications.js';
import { createRepairs, upTo } from '../../graphql/asset-repairs.js';
import { freshDatabaseUrl } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { startPostgresql } from '../../support/postgresql.js';
import { startPooler } from './pooler.js';
import { type Stream, watch } from './watch.js';

const changes = 'subscription ($after: String) { changes(after: $after) { position notice recordId } }';

const start = async (url: string): Promise<TestGateway> => {
  const gateway = await startGateway({ database: 'postgresql', env: { DATABASE_URL: url } });
  onTestFinished(() => gateway.close());
  return gateway;
};
const open = (gateway: TestGateway, after?: number): Stream => {
  const stream = watch(gateway, changes, after === undefined ? {} : { after });
  onTestFinished(() => stream.stop());
  return stream;
};

/** Receives the signals in a database, without being visible as a listener. */
async function spyOn(url: string): Promise<(string | undefined)[]> {
  const client = new pg.Client(url);
  const heard: (string | undefined)[] = [];
  client.on('notification', ({ payload }) => heard.push(payload));
  await client.connect();
  await client.query('LISTEN gateway_commit');
  onTestFinished(() => client.end());
  return heard;
}

/** The sessions of a database that listen. */
async function listeners(url: string): Promise<number[]> {
  const client = new pg.Client(inject('testRun').postgresqlUrl);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    `SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
     WHERE d.datname = $1 AND l.locktype = 'advisory' AND l.mode = 'ShareLock' AND l.granted`,
    [new URL(url).pathname.slice(1)],
  );
  await client.end();
  return rows.map(({ pid }) => pid);
}

test('a process tells others of its commits once for many, without payload, and only while one of them listens', async () => {
  const url = await freshDatabaseUrl('postgresql');
  const heard = await spyOn(url);
  const [writer, reader] = [await start(url), await start(url)];
  const own = open(writer);
  await own.next();
  await createRepairs(writer, 40);
  await sleep(1_200);
  await createRepairs(writer, 40);
  expect(heard).toEqual([]);
  const stream = open(reader);
  await stream.next();
  await expect.poll(() => listeners(url)).toHaveLength(2);
  await sleep(1_200);
  // Reported in one turn, so that nothing comes in between on a slow machine: one signal at once, one for the rest.
  for (const _ of upTo(60)) writer.database.signals?.send();
  await expect.poll(() => heard.length).toBe(2);
  await Promise.all(
    upTo(60).map((number) => writer.rest('POST', '/api/crm/industry-type', { industry: `kind ${number}` })),
  );
  for (const _ of upTo(60)) await stream.next();
  await expect.poll(() => heard.length).toBeGreaterThan(2);
  expect(heard.length).toBeLessThanOrEqual(2 + 60);
  expect(new Set(heard)).toEqual(new Set(['']));
  stream.stop();
  own.stop();
  await expect.poll(() => listeners(url)).toEqual([]);
});

test('a process that begins to listen while it asks who listens does not take itself for another', async () => {
  const url = await freshDatabaseUrl('postgresql');
  const heard = await spyOn(url);
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  let asked = 0;
  const signals = new Notifications({
    schema: 'public',
    connection: { connectionString: url },
    isPooled: false,
    ask: async (sql) => {
      signals.listen(() => undefined);
      await expect.poll(() => listeners(url)).toHaveLength(1);
      const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
      asked++;
      return rows;
    },
    onError: (error) => expect.unreachable(error.message),
  });
  onTestFinished(() => signals.close());
  signals.send();
  await expect.poll(() => asked).toBe(1);
  // What it would send, it would send long before another process asks and begins to listen, which is told.
  const other = new Notifications({
    schema: 'public',
    connection: { connectionString: url },
    isPooled: false,
    ask: async () => [[true]],
    onError: () => undefined,
  });
  onTestFinished(() => other.close());
  other.listen(() => undefined);
  await expect.poll(() => listeners(url)).toHaveLength(2);
  expect(heard).toEqual([]);
  const sendAgain = () => {
    signals.send();
    return heard.length;
  };
  await expect.poll(sendAgain).toBeGreaterThan(0);
});

test('signals report commits: a process that finds nothing new by polling is woken by them', async () => {
  const url = await freshDatabaseUrl('postgresql');
  const writer = await start(url);
  const { provider, signals, close } = await openDatabase({ url, migrate: false });
  onTestFinished(close);
  let woken = 0;
  const stop = watchOtherProcesses({ provider, signals, read: async () => [] }, () => woken++);
  onTestFinished(stop);
  // Until the writer has noticed that somebody listens.
  await expect.poll(() => listeners(url)).toHaveLength(1);
  const before = woken;
  const wokenByOneMore = async () => {
    await createRepairs(writer, 1);
    return woken;
  };
  await expect.poll(wokenByOneMore).toBeGreaterThan(before + 2);
  for (const _ of upTo(5)) {
    const known = woken;
    await createRepairs(writer, 1);
    await expect.poll(() => woken).toBeGreaterThan(known);
  }
});

test('a listener that is ended comes back, and no change is missed', async () => {
  const url = await freshDatabaseUrl('postgresql');
  const [writer, reader] = [await start(url), await start(url)];
  const stream = open(reader);
  const { position: begun } = await stream.next();
  const seen: number[] = [];
  for (const round of upTo(3)) {
    await expect.poll(() => listeners(url), { timeout: 5_000 }).toHaveLength(1);
    const [pid] = await listeners(url);
    const making = createRepairs(writer, 20);
    await writer.database.client.$queryRawUnsafe(`SELECT pg_terminate_backend(${pid})::text`);
    await making;
    await createRepairs(writer, 5);
    while (seen.length < round * 25) seen.push((await stream.next()).position);
  }
  expect(seen).toHaveLength(75);
  expect(seen).toEqual((await reader.journal.read(begun, 100)).entries.map(({ position }) => position));
  expect(reader.logLines.join('')).not.toContain('"level":60');
}, 20_000);

test('behind a pooler, where signals would be lost, processes poll for commits', async () => {
  const pooler = await startPooler(await freshDatabaseUrl('postgresql'));
  onTestFinished(() => pooler.stop());
  const [writer, reader] = [await start(pooler.url), await start(pooler.url)];
  const stream = open(reader);
  await stream.next();
  const made = await createRepairs(writer, 20);
  const seen = [];
  while (seen.length < 20) seen.push((await stream.next()).recordId);
  expect(new Set(seen)).toEqual(new Set(made));
  expect(await listeners(pooler.url)).toEqual([]);
});

test('while PostgreSQL is restarted, streams go on or end with their position, and miss nothing', async () => {
  const server = await startPostgresql();
  onTestFinished(() => server.stop());
  const [writer, reader] = [await start(server.url), await start(server.url)];
  let stream = open(reader);
  const { position: begun } = await stream.next();
  let after = begun;
  const seen: number[] = [];
  const take = async (count: number) => {
    while (seen.length < count) {
      const event = await stream.next().catch(() => undefined);
      if (event && event.notice === null) seen.push(event.position);
      if (event) after = event.position;
      else stream = open(reader, after);
    }
  };
  await createRepairs(writer, 5);
  await take(5);
  for (const round of upTo(2)) {
    await server.pause();
    await sleep(700);
    await server.resume();
    await expect
      .poll(async () => (await writer.rest('POST', '/api/crm/industry-type', { industry: 'back' })).status, {
        timeout: 10_000,
      })
      .toBe(201);
    await take(5 + round);
  }
  expect(seen).toHaveLength(7);
  expect(seen).toEqual((await reader.journal.read(begun, 100)).entries.map(({ position }) => position));
}, 60_000);
