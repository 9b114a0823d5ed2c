import type { Peers } from './direct-access.js';
import { explainingStart } from './explain-start.js';
import { type MigrationStatus, statusOf } from './migrations/migrate.js';
import type { PositionTable } from './postgresql/position-table.js';
import { prepareSqlite, sqlitePath } from './sqlite/open-sqlite.js';
import type { SqliteReadOptions } from './sqlite/reads.js';

export interface PrepareOptions extends SqliteReadOptions {
  /** False if an SQLite file that is missing must not be created, because there was one at the start of the gateway. */
  creates?: boolean;
  /** Which files of SQLite other workers have open: then it must be these, and a log that is missing must not be created either. */
  joins?: string | undefined;
  /** Other processes on the same SQLite file. */
  peers?: Peers | undefined;
  /** `file:./data/records.db`, created with its folder if missing, or `postgresql://…`. */
  url: string;
  /** The same PostgreSQL database past a pooler that `url` leads to. */
  directUrl?: string | undefined;
  /** Hot standbys of it, which may answer reads. */
  readUrls?: readonly string[];
  /** The positions that the reads of keys from these have to see, where processes share them. */
  written?: PositionTable | undefined;
  /** The request timeout in milliseconds; PostgreSQL cancels a statement after it, because no client waits any more. */
  requestTimeout?: number;
  /** The largest answer in bytes; it limits what is loaded for one. */
  answerLimit?: number;
  /** Called with what endangers records although the database can be used. */
  warn?: (message: string) => void;
}

/** The migrations that the database has and lacks. @throws DatabaseStartError if it belongs to another version */
export function readMigrationStatus(url: string): Promise<MigrationStatus> {
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
  const { preparePostgresql } = await forPostgresql();
  const longestStatement = Math.min(LONGEST_STATEMENT, (options.requestTimeout ?? LONGEST_STATEMENT) + GRACE);
  const onError = (error: Error) => log(`A database connection was lost: ${error.message}`);
  const prepared = await preparePostgresql({ ...options, longestStatement, onError });
  return { provider: 'postgresql' as const, ...prepared };
}

/** Imported only for PostgreSQL, to save SQLite the start time and the memory. */
const forPostgresql = () => import('./postgresql/postgresql.js');

const LONGEST_STATEMENT = 20_000;

/** Milliseconds by which a statement may outlast its request, so that the time limit of the request always ends first. */
const GRACE = 500;
