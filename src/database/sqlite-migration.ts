import { retryWhileBusy } from './busy.js';
import type { MigrationConnection } from './migrate.js';
import type { AppliedMigration } from './migration-history.js';
import type { EngineAdapter } from './schema-engine.js';
import { SqliteConnection } from './sqlite-connection.js';
import { toAdapterError } from './sqlite-errors.js';
import { DatabaseStartError } from './start-error.js';

/** How long a process waits for another one that migrates the same file. */
const PATIENCE = 60_000;

/**
 * A connection to migrate an SQLite file with. SQLite's schema changes are transactional, so all migrations run in one
 * transaction, whose write lock keeps every other process out: killed in the middle, nothing has happened.
 */
export function openSqliteMigration(path: string): MigrationConnection {
  const connection = new SqliteConnection(path);
  return {
    provider: 'sqlite',
    adapter: engineAdapter(connection),
    applied: () => retryWhileBusy(() => appliedMigrations(connection), PATIENCE),
    exclusively: (work) => exclusively(connection, work),
    close: async () => connection.close(),
  };
}

async function exclusively<Result>(connection: SqliteConnection, work: () => Promise<Result>): Promise<Result> {
  // A migration that rebuilds a table switches foreign keys off, which has no effect inside a transaction.
  await retryWhileBusy(() => {
    connection.script('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF;');
    connection.script('BEGIN IMMEDIATE');
  }, PATIENCE);
  try {
    const result = await work();
    const broken = rowsOf(connection, 'PRAGMA foreign_key_check');
    if (broken.length > 0) {
      throw new DatabaseStartError(
        `The migrations would leave ${broken.length} rows of ${broken[0]?.[0]} without a parent`,
      );
    }
    await retryWhileBusy(() => connection.script('COMMIT'), PATIENCE);
    return result;
  } finally {
    if (connection.inTransaction) connection.script('ROLLBACK');
  }
}

function appliedMigrations(connection: SqliteConnection): AppliedMigration[] {
  const [table] = rowsOf(
    connection,
    "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_prisma_migrations'",
  );
  if (!table) return [];
  const rows = rowsOf(
    connection,
    'SELECT migration_name, checksum, finished_at IS NOT NULL FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
  return rows.map(([name, checksum, finished]) => ({
    name: String(name),
    checksum: String(checksum),
    finished: finished === 1,
  }));
}

function rowsOf(connection: SqliteConnection, sql: string): unknown[][] {
  return connection.query({ sql, args: [], argTypes: [] }).rows;
}

/** The engine's view of the one connection, inside the transaction that `exclusively` holds. */
function engineAdapter(connection: SqliteConnection): EngineAdapter {
  return {
    provider: 'sqlite',
    adapterName: 'business-records-gateway-sqlite-migration',
    queryRaw: async (query) => run(() => connection.query(query)),
    executeRaw: async (query) => {
      // The engine's own lock, which would last as long as the connection; the transaction's is enough.
      if (/^PRAGMA main\.locking_mode/i.test(query.sql)) return 0;
      return run(() => connection.execute(query));
    },
    executeScript: async (script) => run(() => connection.script(script)),
  };
}

function run<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw toAdapterError(error);
  }
}
