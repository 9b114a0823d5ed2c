/** Gateways behind a real PgBouncer in transaction mode, where session state is lost after each transaction. */
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { type Procedure, type Rows, rows } from '../../src/common/work.js';
import { inspect } from '../../src/database/inspection.js';
import { openDatabase } from '../../src/database/open-database.js';
import { checkDatabase } from '../../src/features/check/check-database.js';
import { features } from '../../src/features.js';
import { watch } from '../features/live/watch.js';
import { createRepair, createRepairs, upTo } from '../graphql/asset-repairs.js';
import { emptyDatabaseUrl, freshDatabaseUrl } from '../support/database.js';
import { startGateway } from '../support/gateway.js';
import { type Pgbouncer, startPgbouncer } from '../support/pgbouncer.js';
import { startPostgresql } from '../support/postgresql.js';

/** The number of sessions that the pooler has for a database. */
const sessions = 4;

let pooler: Pgbouncer | undefined;

beforeAll(async () => {
  await freshDatabaseUrl('postgresql'); // once there is one, the server is ready
  pooler = await startPgbouncer(inject('testRun').postgresqlUrl);
});
afterAll(() => pooler?.stop());

const through = (url: string): string => pooler?.through(url) ?? expect.unreachable();

/** The URL of a new database without the pooler, also in a run behind the pooler. */
const direct = async (make = freshDatabaseUrl): Promise<string> => {
  const { port } = new URL(inject('testRun').postgresqlUrl);
  return Object.assign(new URL(await make('postgresql')), { port }).href;
};

const start = async (env: Record<string, string>) => {
  const gateway = await startGateway({ database: 'postgresql', env });
  onTestFinished(() => gateway.close());
  return gateway;
};

async function ask(url: string, sql: string): Promise<unknown[][]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

/** The answers of all sessions that the pooler has. */
async function askAll(url: string, sql: string): Promise<unknown[][]> {
  const clients = upTo(sessions).map(() => new pg.Client(url));
  await Promise.all(clients.map((client) => client.connect()));
  await Promise.all(clients.map((client) => client.query('BEGIN')));
  const found = await Promise.all(clients.map((client) => client.query<unknown[]>({ text: sql, rowMode: 'array' })));
  await Promise.all(clients.map((client) => client.end()));
  return found.flatMap((each) => each.rows);
}

const set = `SELECT current_setting('statement_timeout'), current_setting('lock_timeout'),
  current_setting('idle_in_transaction_session_timeout'), current_setting('datestyle'), current_setting('extra_float_digits'),
  current_setting('client_min_messages'), current_setting('synchronous_commit')`;

test('what is set for a session is set for every statement: alone or in a transaction, through Prisma or past it', async () => {
  const url = await direct();
  await ask(url, `ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET datestyle = 'SQL, DMY'`);
  await ask(url, `ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET synchronous_commit = off`);
  const database = await openDatabase({ url: through(`${url}?lock_timeout=7000`), migrate: false });
  onTestFinished(() => database.close());
  const expected = ['20s', '7s', '20s', 'ISO, MDY', '1', 'warning', 'on'];
  expect(await database.read(set, [])).toEqual([expected]);
  const named = set.replaceAll(/current_setting\('(\w+)'\)/g, (call, name) => `${call} AS "${name}"`);
  const values = (found: Record<string, string>[]) => found.map((row) => Object.values(row));
  expect(values(await database.client.$queryRawUnsafe(named))).toEqual([expected]);
  expect(values(await database.transaction((tx) => tx.$queryRawUnsafe(named)))).toEqual([expected]);
  expect(await database.perform(() => rows(set, []))).toEqual([expected]);
  expect(await database.perform(whole)).toEqual([expected]);
});

function* whole(): Procedure<Rows> {
  return yield { sql: set, values: [], isWhole: true };
}

test('a statement that runs too long is stopped, and its connection serves the next', async () => {
  const database = await openDatabase({ url: through(`${await direct()}?statement_timeout=300`), migrate: false });
  onTestFinished(() => database.close());
  for (const _ of upTo(12))
    await expect(database.read('SELECT pg_sleep(60)', [])).rejects.toMatchObject({ code: '57014' });
  expect(await database.read('SELECT 1', [])).toEqual([[1]]);
});

test('gateways with more connections than the pooler has sessions serve each other, and leave nothing in any session', async () => {
  const url = await direct();
  const gateways = await Promise.all(upTo(3).map(() => start({ DATABASE_URL: through(url) })));
  const [first = expect.unreachable()] = gateways;
  const streams = gateways.map((gateway) => watch(gateway, 'subscription { changes { position notice recordId } }'));
  for (const stream of streams) onTestFinished(() => stream.stop());
  await Promise.all(streams.map((stream) => stream.next()));
  const { id } = await createRepair(first);
  const submits = await Promise.all(
    upTo(30).map((number) => gateways[number % 3]?.rest('POST', `/api/assets/asset-repair/${id}/submit`)),
  );
  expect(submits.map((answer) => answer?.status).filter((status) => status === 200)).toHaveLength(1);
  await Promise.all(gateways.map((gateway) => createRepairs(gateway, 60)));
  // Often enough to be prepared with a name, where there are any.
  const pages = await Promise.all(
    upTo(90).map((number) => gateways[number % 3]?.rest('GET', '/api/assets/asset-repair?limit=5')),
  );
  expect(new Set(pages.map((answer) => answer?.status))).toEqual(new Set([200]));
  for (const stream of streams) expect(await stream.next()).toMatchObject({ recordId: id });

  const plain = await askAll(url, `SELECT current_setting('synchronous_commit'), ${set.replace('SELECT', '')}`);
  const left = await askAll(
    through(url),
    `SELECT current_setting('synchronous_commit'), ${set.replace('SELECT', '')} FROM (SELECT count(*) AS "prepared" FROM pg_prepared_statements) AS p WHERE "prepared" = 0`,
  );
  expect(left).toEqual(plain);
  const locks = `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  await expect.poll(() => ask(url, locks)).toEqual([['0']]);
});

test('gateways that start at once on an empty database migrate it once, and leave no lock behind', async () => {
  const url = await direct(emptyDatabaseUrl);
  const gateways = await Promise.all(upTo(4).map(() => start({ DATABASE_URL: through(url) })));
  expect(gateways).toHaveLength(4);
  const twice = 'SELECT count(*) - count(DISTINCT migration_name) FROM _prisma_migrations';
  expect(await ask(url, twice)).toEqual([['0']]);
  // The databases of other tests are on the same server, and may be migrated just now.
  const ofOwn = 'database = (SELECT oid FROM pg_database WHERE datname = current_database())';
  expect(await ask(url, `SELECT count(*) FROM pg_locks WHERE objid = 72707369 AND ${ofOwn}`)).toEqual([['0']]);
});

test('with a way past the pooler, processes tell each other of commits; without one they look for them', async () => {
  const url = await direct();
  await ask(url, `ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET synchronous_commit = on`);
  const pooled = { DATABASE_URL: through(url) };
  const hearing = await start({ ...pooled, DATABASE_DIRECT_URL: url });
  const [looking, writer] = [await start(pooled), await start(pooled)];
  const streams = [hearing, looking].map((gateway) => {
    const stream = watch(gateway, 'subscription { changes { position notice recordId } }');
    onTestFinished(() => stream.stop());
    return stream;
  });
  for (const stream of streams) await stream.next();
  const listeners = `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  await expect.poll(() => ask(url, listeners)).toEqual([['1']]);
  for (const _ of upTo(3)) {
    const { id } = await createRepair(writer);
    for (const stream of streams) expect(await stream.next()).toMatchObject({ recordId: id });
  }
  // Signals do not wait for the disk, but the next user of the session does.
  const waits = await askAll(through(url), "SELECT current_setting('synchronous_commit')");
  expect(waits).toEqual(upTo(sessions).map(() => ['on']));
});

test('where no pooler is noticed, the URL can say that there is one', async () => {
  const url = await direct();
  const database = await openDatabase({ url: `${url}?pgbouncer=true&connection_limit=1`, migrate: false });
  onTestFinished(() => database.close());
  for (const _ of upTo(5)) await database.read('SELECT count(*) FROM "AssetRepair"', []);
  expect(await database.read('SELECT count(*) FROM pg_prepared_statements', [])).toEqual([['0']]);
});

test('a schema of its own is looked at in every session, and not the one that the server would look in', async () => {
  const database = await direct(); // with the tables of another gateway in public
  const url = through(`${database}?schema=mine`);
  await expect(openDatabase({ url, migrate: false })).rejects.toThrow('The database lacks the migrations');
  await (await openDatabase({ url, migrate: true })).close();
  await ask(database, 'DROP TABLE public._prisma_migrations');
  await (await openDatabase({ url, migrate: false })).close();
  expect((await checkDatabase(url, features)).flatMap(({ problems }) => problems)).toEqual([]);
  await ask(database, 'DROP INDEX mine."ApiUse_lastAt_idx"');
  await expect(openDatabase({ url, migrate: false })).rejects.toThrow('is not what its migrations make');
});

test('a way past the pooler is refused where it leads to another database or server, before anything is changed', async () => {
  const [url, directUrl] = [await direct(emptyDatabaseUrl), await direct(emptyDatabaseUrl)];
  const names = [directUrl, url].map((each) => new URL(each).pathname.slice(1));
  await expect(openDatabase({ url: through(url), directUrl, migrate: true })).rejects.toThrow(
    `DATABASE_DIRECT_URL leads to the database ${names[0]}, and not to ${names[1]} as DATABASE_URL. Nothing was changed.`,
  );
  expect(await ask(directUrl, 'SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()')).toEqual([['0']]);
  const wrong = Object.assign(new URL(url), { password: 'secret' }).href;
  await expect(openDatabase({ url: through(url), directUrl: wrong, migrate: true })).rejects.toThrow(
    'Check the user and the password in DATABASE_DIRECT_URL,',
  );
  const other = await startPostgresql();
  onTestFinished(() => other.stop());
  const administrators = Object.assign(new URL(url), { pathname: new URL(other.url).pathname }).href;
  await expect(openDatabase({ url: administrators, directUrl: other.url, migrate: false })).rejects.toThrow(
    'DATABASE_DIRECT_URL leads to the database postgres of another server than DATABASE_URL.',
  );
  await (await openDatabase({ url: through(url), directUrl: url, migrate: true })).close();
});

test('a pooler whose server is away is a database that cannot be reached, long before the pooler says so', async () => {
  const server = await startPostgresql();
  onTestFinished(() => server.stop());
  const between = await startPgbouncer(server.url);
  onTestFinished(() => between.stop());
  const url = between.through(server.url);
  await ask(url, 'SELECT 1');
  await ask(server.url, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
  process.kill(server.pid(), 'SIGSTOP');
  onTestFinished(() => void process.kill(server.pid(), 'SIGCONT'));
  // Said by this side: the pooler says `query_wait_timeout`, after two minutes.
  const away = { message: expect.stringContaining('cannot be reached (Query read timeout)'), mayPass: true };
  const opened = [url, `${url}?pgbouncer=true`].map((each) => openDatabase({ url: each, migrate: false }));
  const asked = [...opened, inspect(url, false, async () => undefined)];
  await Promise.all(asked.map((each) => expect(each).rejects.toMatchObject(away)));
});
