import { counted } from '../../common/output.js';
import { DatabaseStartError } from '../database-problem.js';
import { SqliteConnection } from '../sqlite/sqlite-connection.js';
import { retryWhileBusy } from '../sqlite/sqlite-errors.js';
import type { MigrationConnection } from './migrate.js';
import type { AppliedMigration } from './migration-history.js';

/** Milliseconds to wait for another process that migrates the same file. */
const PATIENCE = 60_000;

/**
 * A connection that migrates an SQLite file. Schema changes are transactional in SQLite, so all migrations run in one
 * transaction, whose write lock keeps out every other process. If the process is killed in between, nothing has
 * changed.
 */
export function openSqliteMigration(path: string): MigrationConnection {
  const connection = new SqliteConnection(path);
  return {
    provider: 'sqlite',
    history: 'sqlite',
    query: async (sql, values = []) => connection.query({ sql, args: [...values], argTypes: [] }),
    run: async (script) => connection.script(script),
    applied: () => retryWhileBusy(() => appliedMigrations(connection), PATIENCE),
    exclusively: (work) => exclusively(connection, work),
    close: async () => connection.close(),
  };
}

async function exclusively<Result>(connection: SqliteConnection, work: () => Promise<Result>): Promise<Result> {
  // Migrations that rebuild a table need foreign keys off, and that setting has no effect inside a transaction.
  await retryWhileBusy(() => {
    connection.script('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF;');
    connection.script('BEGIN IMMEDIATE');
  }, PATIENCE);
  try {
    const result = await work();
    const broken = connection.rows('PRAGMA foreign_key_check', []);
    if (broken.length > 0) {
      throw new DatabaseStartError(
        `The migrations would leave ${counted(broken.length, 'row')} of ${broken[0]?.[0]} without a parent`,
      );
    }
    await retryWhileBusy(() => connection.script('COMMIT'), PATIENCE);
    return result;
  } finally {
    if (connection.inTransaction) connection.script('ROLLBACK');
  }
}

export function appliedMigrations(connection: SqliteConnection): AppliedMigration[] {
  const [table] = connection.rows(
    "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_prisma_migrations'",
    [],
  );
  if (!table) return [];
  const rows = connection.rows(
    'SELECT migration_name, checksum, finished_at IS NOT NULL FROM _prisma_migrations WHERE rolled_back_at IS NULL',
    [],
  );
  return rows.map(([name, checksum, finished]) => ({
    name: String(name),
    checksum: String(checksum),
    finished: Boolean(finished),
  }));
}
