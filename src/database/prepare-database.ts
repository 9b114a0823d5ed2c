import { explainingStart } from './explain-start.js';
import { statusOf } from './migrations/migrate.js';
import type { PostgresqlOptions } from './postgresql/postgresql.js';
import { type PrepareSqlite, prepareSqlite, sqlitePath } from './sqlite/open-sqlite.js';
import type { SqliteReadOptions } from './sqlite/reads.js';

export interface PrepareOptions
  extends SqliteReadOptions,
    Omit<PrepareSqlite, 'log'>,
    Omit<PostgresqlOptions, 'longestStatement' | 'onError'> {
  /** `file:./data/records.db`, created with its folder if missing, or `postgresql://…`. */
  url: string;
  /** The request timeout in milliseconds; PostgreSQL cancels a statement after it, because no client waits any more. */
  requestTimeout?: number;
}

/** The migrations that the database has and lacks. @throws DatabaseStartError if it belongs to another version */
export function readMigrationStatus(url: string) {
  return explainingStart(url, async () => {
    const { migration } = await prepareDatabase({ url, onlyReads: true }, () => undefined);
    return statusOf(migration).finally(() => migration.close());
  });
}

/**
 * Creates the SQLite file if it is missing, or connects to PostgreSQL once, so that a wrong URL is reported. @throws
 * DatabaseStartError
 */
export async function prepareDatabase(options: PrepareOptions, log: (message: string) => void) {
  if (options.url.startsWith('file:')) {
    return { provider: 'sqlite' as const, ...(await prepareSqlite(sqlitePath(options.url), { ...options, log })) };
  }
  // Imported only for PostgreSQL, to save SQLite the start time and the memory.
  const { preparePostgresql } = await import('./postgresql/postgresql.js');
  const longestStatement = Math.min(LONGEST_STATEMENT, (options.requestTimeout ?? LONGEST_STATEMENT) + GRACE);
  const onError = (error: Error) => log(`A database connection was lost: ${error.message}`);
  const prepared = await preparePostgresql({ ...options, longestStatement, onError });
  return { provider: 'postgresql' as const, ...prepared };
}

const LONGEST_STATEMENT = 20_000;

/** Milliseconds by which a statement may outlast its request, so that the time limit of the request always ends first. */
const GRACE = 500;
