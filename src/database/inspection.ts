/**
 * A connection for work that reads or repairs a whole database, without the limits of requests: one transaction, which
 * sees one state of the database.
 */
import type { Rows, Value } from '../common/work.js';
import { explainingStart } from './explain-start.js';
import type { Provider } from './migrations/migration-history.js';
import { sqlitePath } from './sqlite/open-sqlite.js';
import { SqliteConnection } from './sqlite/sqlite-connection.js';
import { retryWhileBusy } from './sqlite/sqlite-errors.js';
import { readableFile } from './sqlite/sqlite-file.js';

export interface Inspection {
  readonly provider: Provider;
  /** Runs one statement, with placeholders `?` on SQLite and `$1` on PostgreSQL. */
  rows(sql: string, values?: readonly Value[]): Promise<Rows>;
}

/** The most places that are named for each problem of each table. */
export const mostPlaces = 20;

/** Milliseconds to wait for a lock. */
const PATIENCE = 60_000;

/**
 * Runs `work` in one transaction; if it `writes`, its changes are committed when it resolves, and no other process writes
 * on SQLite meanwhile. @throws DatabaseStartError if the database cannot be reached
 */
export async function inspect<Result>(
  url: string,
  writes: boolean,
  work: (inspection: Inspection) => Promise<Result>,
): Promise<Result> {
  return explainingStart(url, () =>
    url.startsWith('file:') ? inspectSqlite(sqlitePath(url), writes, work) : inspectPostgresql(url, writes, work),
  );
}

async function inspectSqlite<Result>(
  path: string,
  writes: boolean,
  work: (inspection: Inspection) => Promise<Result>,
): Promise<Result> {
  const connection = new SqliteConnection(writes ? path : readableFile(path), { readonly: !writes });
  try {
    await retryWhileBusy(() => connection.script(writes ? 'BEGIN IMMEDIATE' : 'BEGIN'), PATIENCE);
    const result = await work({
      provider: 'sqlite',
      rows: async (sql, values = []) => connection.run({ sql, values }),
    });
    // After a read that met a damaged page, a COMMIT would fail.
    connection.script(writes ? 'COMMIT' : 'ROLLBACK');
    return result;
  } finally {
    connection.close();
  }
}

async function inspectPostgresql<Result>(
  url: string,
  writes: boolean,
  work: (inspection: Inspection) => Promise<Result>,
): Promise<Result> {
  const { toolSession } = await import('./postgresql/tool-session.js');
  const { client, settings } = await toolSession(url, 'inspection');
  try {
    await client.query(`${writes ? 'BEGIN' : 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'}${settings}`);
    const rows: Inspection['rows'] = async (text, values = []) =>
      (await client.query({ text, values: [...values], rowMode: 'array' })).rows;
    const result = await work({ provider: 'postgresql', rows });
    await client.query('COMMIT');
    return result;
  } finally {
    await client.end();
  }
}
