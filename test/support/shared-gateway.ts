/**
 * A gateway that the test files of one process share, each with an empty database: after the first files it has
 * compiled and planned most operations, which takes longer than answering them.
 */

import pg from 'pg';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { startGateway, type TestGateway } from './gateway.js';
import { Sqlite } from './sqlite-library.js';

interface Shared {
  gateway: TestGateway;
  /** Empties the database again. */
  empty(): Promise<void>;
}

const shared = new Map<string, Promise<Shared>>();

/** The gateway, as if it had just started. It ends with the process. */
export async function sharedGateway(provider: Provider, compiled: boolean): Promise<TestGateway> {
  const name = `${provider} ${compiled}`;
  const known = shared.get(name);
  const made = known ?? start(provider, compiled);
  shared.set(name, made);
  const { gateway, empty } = await made;
  if (known) await empty();
  gateway.statements.length = 0;
  gateway.logLines.length = 0;
  return gateway;
}

async function start(provider: Provider, compiled: boolean): Promise<Shared> {
  const gateway = await startGateway({ database: provider, compiled });
  const { databaseUrl } = gateway.config;
  return { gateway, empty: provider === 'sqlite' ? emptySqlite(databaseUrl) : await emptyPostgresql(databaseUrl) };
}

function emptySqlite(url: string): Shared['empty'] {
  const database = new Sqlite(url.replace('file:', ''));
  database.pragma('foreign_keys = OFF');
  const tables = database
    .prepare<[], string>(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '[s_]*'`)
    .pluck()
    .all();
  const initial = tables.map((table) => ({
    table,
    rows: database.prepare<[], unknown[]>(`SELECT * FROM "${table}"`).raw().all(),
  }));
  const restore = database.transaction(() => {
    for (const { table } of initial) database.exec(`DELETE FROM "${table}"`);
    for (const { table, rows } of initial) {
      if (rows.length > 0) database.exec(`DELETE FROM "${table}"`);
      for (const row of rows) database.prepare(`INSERT INTO "${table}" VALUES (${row.map(() => '?')})`).run(row);
    }
  });
  return async () => restore.immediate();
}

async function emptyPostgresql(url: string): Promise<Shared['empty']> {
  const client = new pg.Client(url);
  // The server is stopped when the run ends, before this process is.
  client.on('error', () => undefined);
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE '\\_%'`,
  );
  const initial: { name: string; rows: string | null | undefined }[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<{ rows: string | null }>(
      `SELECT json_agg(each)::text AS rows FROM ${name} AS each`,
    );
    initial.push({ name, rows: rows[0]?.rows });
  }
  const inserts = initial.flatMap(({ name, rows }) =>
    rows
      ? [`INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, ${client.escapeLiteral(rows)})`]
      : [],
  );
  // Finding and deleting the few rows is much faster than truncating every table.
  const filled = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, pg_relation_size('${name}') > 1e6 AS "isLarge" WHERE EXISTS (SELECT FROM ${name})`,
  );
  return async () => {
    const { rows } = await client.query<{ name: string; isLarge: boolean }>(filled.join(' UNION ALL '));
    const removals = rows.map(({ name, isLarge }) => (isLarge ? `TRUNCATE ${name} CASCADE` : `DELETE FROM ${name}`));
    await client.query(['SET LOCAL session_replication_role = replica', ...removals, ...inserts].join('; '));
  };
}
