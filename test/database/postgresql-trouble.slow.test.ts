import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { rows } from '../../src/common/work.js';
import { databaseProblem } from '../../src/database/database-problem.js';
import { inspect } from '../../src/database/inspection.js';
import { type OpenedDatabase, openDatabase } from '../../src/database/open-database.js';
import { knownError } from '../../src/graphql/shown-errors/show-error.js';
import { freshDatabaseUrl } from '../support/database.js';
import { type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { apiKey, gate } from '../support/sqlite.js';

async function open(url?: string): Promise<{ database: OpenedDatabase; url: string; log: string[] }> {
  const log: string[] = [];
  const used = url ?? (await freshDatabaseUrl('postgresql'));
  const database = await openDatabase({ url: used, migrate: true, log: (line) => log.push(line) });
  onTestFinished(() => database.close());
  return { database, url: used, log };
}

/** Runs SQL as the server's administrator. */
async function administer(sql: string, ...values: unknown[]): Promise<void> {
  const client = new pg.Client(inject('testRun').postgresqlUrl);
  await client.connect();
  await client.query(sql, values);
  await client.end();
}

function killSessions(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  return administer('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', name);
}

async function problemOf(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => 'none',
    (error: unknown) => databaseProblem(error),
  );
}

test('idle connections that are killed are replaced, and nobody notices but the log', async () => {
  const { database, url, log } = await open();
  await Promise.all(Array.from({ length: 5 }, () => database.ping()));
  await killSessions(url);
  await sleep(200);
  await Promise.all(Array.from({ length: 5 }, () => database.ping()));
  expect(log.some((line) => line.startsWith('A database connection was lost'))).toBe(true);
});

test('a transaction whose connection is killed is unavailable, undone, and the next one works', async () => {
  const { database, url } = await open();
  const begun = gate();
  const killed = gate();
  const broken = database.transaction(async (tx) => {
    await tx.apiKey.create({ data: apiKey('broken') });
    begun.open();
    await killed.opened;
    await tx.apiKey.create({ data: apiKey('never') });
  });
  const problem = problemOf(broken);
  await begun.opened;
  await killSessions(url);
  await sleep(100);
  killed.open();
  expect(await problem).toBe('database_unavailable');
  await database.transaction((tx) => tx.apiKey.create({ data: apiKey('after') }));
  expect((await database.client.apiKey.findMany()).map(({ id }) => id)).toEqual(['after']);
});

test('a transaction killed between its last statement and its commit is undone and says so', async () => {
  const { database, url } = await open();
  const broken = database.transaction(async (tx) => {
    await tx.apiKey.create({ data: apiKey('broken') });
    await killSessions(url);
    await sleep(100);
  });
  expect(await problemOf(broken)).toBe('database_unavailable');
  expect(await database.client.apiKey.count()).toBe(0);
});

test('a statement that waits too long for a row is refused as busy', async () => {
  const { database, url } = await open(await withSetting('lock_timeout', '300'));
  await database.client.apiKey.create({ data: apiKey('row') });
  const holder = new pg.Client(url);
  await holder.connect();
  await holder.query('BEGIN; UPDATE "ApiKey" SET "name" = \'held\'');
  const update = database.client.apiKey.update({ where: { id: 'row' }, data: { name: 'late' } });
  expect(await problemOf(update)).toBe('busy');
  await holder.end();
});

test('a statement that runs too long is stopped', async () => {
  const { database } = await open(await withSetting('statement_timeout', '300'));
  expect(await problemOf(database.client.$queryRaw`SELECT pg_sleep(5)::text`)).toBe('timeout');
});

test('a request that finds no free connection for too long is refused as busy', async () => {
  const { database } = await open();
  const done = gate();
  // Two of the ten connections are kept for pipelined reads.
  let begun = 0;
  const hold = () => {
    begun++;
    return done.opened;
  };
  const held = Array.from({ length: 8 }, () => database.transaction(hold));
  await expect.poll(() => begun).toBe(8);
  const startedAt = performance.now();
  const read = database.client.apiKey.count().then();
  const write = database.transaction((tx) => tx.apiKey.count());
  const work = database.perform(function* () {
    return yield* rows('SELECT 1', []);
  });
  const refused = await Promise.all([read, write, work].map((each) => each.then(String, knownError)));
  expect(refused).toMatchObject(
    refused.map(() => ({
      details: { reason: 'busy' },
      message: expect.stringContaining('The request has waited 5 s for a connection'),
    })),
  );
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  done.open();
  await Promise.all(held);
});

test('a commit after a statement that failed is refused, not taken for one that kept the rest', async () => {
  const { database } = await open();
  await database.client.apiKey.create({ data: apiKey('taken') });
  const careless = database.transaction(async (tx) => {
    await tx.apiKey.create({ data: apiKey('rest') });
    await tx.apiKey.create({ data: apiKey('taken') }).catch(() => undefined);
  });
  await expect(careless).rejects.toMatchObject({ cause: { originalCode: '25P02' } });
  await database.transaction((tx) => tx.apiKey.create({ data: apiKey('after') }));
  expect((await database.client.apiKey.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id)).toEqual([
    'after',
    'taken',
  ]);
});

test('a commit waits for what was sent before it, and is refused where that fails', async () => {
  const { database } = await open();
  const careless = database.transaction(async (tx) => {
    await tx.apiKey.create({ data: apiKey('rest') });
    const failing = tx.$queryRaw`SELECT 1 / length(pg_sleep(0.3)::text)`;
    failing.catch(() => undefined);
    await sleep(100);
  });
  await expect(careless).rejects.toMatchObject({ cause: { originalCode: '25P02' } });
  expect(await database.client.apiKey.count()).toBe(0);
});

/** A separate server that may be stopped and whose processes may be killed, because all other tests share one. */
let server: PostgresqlServer;
beforeAll(async () => {
  server = await startPostgresql({ flags: ['-c', 'full_page_writes=on'] });
});
afterAll(() => server.stop());

test('a connection that falls silent inside a transaction is never used again', async () => {
  const { database } = await open(`${server.url}?query_timeout=1500&connection_limit=1`);
  let silentPid = 0;
  const silent = database.transaction(async (tx) => {
    const [row] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    silentPid = row?.pid ?? 0;
    await tx.apiKey.create({ data: apiKey('undone') });
    process.kill(silentPid, 'SIGSTOP');
    await tx.apiKey.create({ data: apiKey('never answered') });
  });
  expect(await problemOf(silent)).toBe('timeout');
  await database.client.apiKey.create({ data: apiKey('kept') });
  process.kill(silentPid, 'SIGCONT');
  const isThere = () => database.client.$queryRaw`SELECT 1 FROM pg_stat_activity WHERE pid = ${silentPid}`;
  await expect.poll(isThere).toEqual([]);
  expect((await database.client.apiKey.findMany()).map(({ id }) => id)).toEqual(['kept']);
});

test('nobody waits for a ROLLBACK on a connection that has fallen silent', async () => {
  const { database } = await open(`${await freshDatabaseUrl('postgresql')}?query_timeout=3000`);
  const begins = [
    () => database.perform(() => rows('SELECT pg_sleep(20)', [])),
    () => database.transaction((tx) => tx.$queryRaw`SELECT pg_sleep(20)::text`),
  ];
  const problems = begins.map(async (begin) => {
    const startedAt = performance.now();
    return [await problemOf(begin()), performance.now() - startedAt] as const;
  });
  for (const [problem, took] of await Promise.all(problems)) {
    expect(problem).toBe('timeout');
    // Waiting for a ROLLBACK would take as long again.
    expect(took).toBeLessThan(5700);
  }
});

test('a server that stops is unavailable, and serves again soon after its return', async () => {
  const { database } = await open(server.url);
  await database.client.apiKey.deleteMany();
  await database.client.apiKey.create({ data: apiKey('before') });
  await server.pause();
  expect(await problemOf(database.client.apiKey.count().then())).toBe('database_unavailable');
  expect(await problemOf(database.transaction((tx) => tx.apiKey.create({ data: apiKey('meanwhile') })))).toBe(
    'database_unavailable',
  );
  expect(await problemOf(database.ping())).toBe('database_unavailable');
  await server.resume();
  const startedAt = performance.now();
  expect((await database.client.apiKey.findMany()).map(({ id }) => id)).toEqual(['before']);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('an opening says what the server itself does not keep, and how that is mended', async () => {
  const told: string[] = [];
  const warn = (line: string) => told.push(line);
  await (await openDatabase({ url: server.url, migrate: true, warn })).close();
  expect(told).toEqual([
    'PostgreSQL at 127.0.0.1 has fsync = off: if its machine fails, records that were acknowledged can be lost or damaged. Run ALTER SYSTEM SET fsync = on; SELECT pg_reload_conf(), unless the service that runs it keeps what is written in another way, as Aurora and Neon do.',
  ]);
});

test('what was acknowledged is there after a crash, also where the server was told not to wait for its disk', async () => {
  const ask = async (sql: string) => {
    const client = new pg.Client(server.url);
    await client.connect();
    return (await client.query(sql).finally(() => client.end())).rows;
  };
  await ask('ALTER DATABASE postgres SET synchronous_commit = off');
  // A commit that does not wait is kept in memory until this process comes by.
  await ask("ALTER SYSTEM SET wal_writer_delay = '10s'");
  await ask('SELECT pg_reload_conf()');
  const { database } = await open(server.url);
  await database.client.apiKey.deleteMany();
  const insert = (id: string) =>
    `INSERT INTO "ApiKey" ("id", "name", "hash", "createdAt") VALUES ('${id}', 'test', '${id}', now())`;
  const ways: [string, () => Promise<unknown>][] = [
    ['a Prisma', () => database.client.apiKey.create({ data: apiKey('a Prisma') })],
    ['b transaction', () => database.transaction((tx) => tx.apiKey.create({ data: apiKey('b transaction') }))],
    ['c procedure', () => database.perform(() => rows(insert('c procedure'), []))],
    ['d repair', () => inspect(server.url, true, (inspection) => inspection.rows(insert('d repair')))],
  ];
  const writer = async () => {
    const [found] = await ask(`SELECT "pid" FROM pg_stat_activity WHERE "backend_type" = 'walwriter'`);
    return Number(found?.pid);
  };
  for (const [index, [, write]] of ways.entries()) {
    await write();
    // The server begins anew if one of its processes is killed.
    const killed = await writer();
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => writer().catch(() => killed), { timeout: 20_000 }).not.toBe(killed);
    const keys = async () => (await database.client.apiKey.findMany()).map(({ id }) => id).sort();
    await expect.poll(() => keys().catch(() => []), { timeout: 20_000 }).not.toEqual([]);
    expect(await keys()).toEqual(ways.slice(0, index + 1).map(([id]) => id));
  }
});

/** A new database in which every session has the setting, whatever the gateway sets. */
async function withSetting(name: string, milliseconds: string): Promise<string> {
  const url = new URL(await freshDatabaseUrl('postgresql'));
  url.searchParams.set(name, milliseconds);
  return url.href;
}
