/** What a role or a database may have set, and what the gateway answers all the same. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { rows } from '../../src/common/work.js';
import { inspect } from '../../src/database/inspection.js';
import { openDatabase } from '../../src/database/open-database.js';
import { emptyDatabaseUrl } from '../support/database.js';

const hostile = {
  array_nulls: 'off',
  bytea_output: 'escape',
  datestyle: 'SQL, DMY',
  default_transaction_isolation: 'serializable',
  extra_float_digits: '-15',
  idle_in_transaction_session_timeout: '1ms',
  idle_session_timeout: '1s',
  intervalstyle: 'sql_standard',
  lc_monetary: 'C.UTF-8',
  lock_timeout: '1ms',
  quote_all_identifiers: 'on',
  search_path: 'nowhere',
  standard_conforming_strings: 'off',
  statement_timeout: '1ms',
  synchronous_commit: 'off',
  timezone: 'Asia/Kathmandu',
  transaction_timeout: '30ms',
  transform_null_equals: 'on',
};
const names = Object.keys(hostile);

let url: string;
beforeAll(async () => {
  const made = new URL(await emptyDatabaseUrl('postgresql'));
  const database = made.pathname.slice(1);
  const role = `${database}_role`;
  const client = new pg.Client(made.href);
  await client.connect();
  await client.query(
    `CREATE ROLE "${role}" LOGIN PASSWORD 'secret'; GRANT ALL ON DATABASE "${database}" TO "${role}"; GRANT ALL ON SCHEMA public TO "${role}"`,
  );
  for (const [name, value] of Object.entries(hostile))
    await client.query(`ALTER ROLE "${role}" SET ${name} = ${name === 'search_path' ? 'nowhere' : `'${value}'`}`);
  await client.end();
  url = Object.assign(made, { username: role, password: 'secret' }).href;
});

const current = `SELECT ${names.map((name) => `current_setting('${name}')`).join()}`;

test('the settings of a role are those of the gateway in its sessions, and the migrations are not ended by them', async () => {
  const database = await openDatabase({ url, migrate: true });
  onTestFinished(() => database.close());
  const [pipelined] = await database.read(current, []);
  const found = Object.fromEntries(names.map((name, index) => [name, pipelined?.[index]]));
  expect(found).toMatchObject({
    array_nulls: 'on',
    datestyle: 'ISO, MDY',
    default_transaction_isolation: 'read committed',
    extra_float_digits: '1',
    search_path: '"public"',
    idle_session_timeout: '0',
    transaction_timeout: '0',
    statement_timeout: '20s',
    synchronous_commit: 'on',
    timezone: 'UTC',
  });
  for (const [name, value] of Object.entries(hostile)) expect([name, found[name]]).not.toEqual([name, value]);
  await sleep(1_500);
  expect(await database.read('SELECT 1', [])).toEqual([[1]]);
});

test('triggers and foreign keys hold where a database turns them off, or it is refused with what mends it', async () => {
  const made = await emptyDatabaseUrl('postgresql');
  const name = new URL(made).pathname.slice(1);
  const client = new pg.Client(made);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`ALTER DATABASE "${name}" SET session_replication_role = replica`);
  const role = await client.query("SELECT current_setting('session_replication_role') AS now");
  expect(role.rows).toEqual([{ now: 'origin' }]); // Only later sessions have it.
  const database = await openDatabase({ url: made, migrate: true });
  onTestFinished(() => database.close());
  const now = `SELECT current_setting('session_replication_role')`;
  expect(await database.perform(() => rows(now, []))).toEqual([['origin']]);
  expect(await inspect(made, false, (inspection) => inspection.rows(now))).toEqual([['origin']]);
  await client.query(
    `CREATE ROLE "${name}_plain" LOGIN PASSWORD 'secret'; GRANT ALL ON SCHEMA public TO "${name}_plain"`,
  );
  const plain = Object.assign(new URL(made), { username: `${name}_plain`, password: 'secret' }).href;
  await expect(openDatabase({ url: plain, migrate: true })).rejects.toThrow(
    `has session_replication_role = replica for the user ${name}_plain: with it no foreign key and no trigger holds. Take it from where it is set`,
  );
});

test('what the server is told while the gateway runs does not reach its sessions', async () => {
  const made = await emptyDatabaseUrl('postgresql');
  const database = await openDatabase({ url: made, migrate: true });
  onTestFinished(() => database.close());
  const now = `SELECT current_setting('synchronous_commit'), current_setting('session_replication_role')`;
  expect(await database.perform(() => rows(now, []))).toEqual([['on', 'origin']]);
  const client = new pg.Client(made);
  await client.connect();
  onTestFinished(() => client.end());
  onTestFinished(async () => {
    await client.query('ALTER SYSTEM RESET synchronous_commit');
    await client.query('SELECT pg_reload_conf()');
  });
  await client.query('ALTER SYSTEM SET synchronous_commit = off');
  await client.query('SELECT pg_reload_conf()');
  const told = async () => (await client.query('SHOW synchronous_commit')).rows[0].synchronous_commit;
  await expect.poll(told).toBe('off');
  expect(await database.perform(() => rows(now, []))).toEqual([['on', 'origin']]);
});
