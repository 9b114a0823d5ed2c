import {
  type AppliedMigration,
  type Migration,
  migrationsFolder,
  missingMigrations,
  type Provider,
  readMigrations,
} from './migration-history.js';
import { type EngineAdapter, noFilters, startSchemaEngine } from './schema-engine.js';
import { DatabaseStartError } from './start-error.js';

/** A connection of its own on which a database is migrated. */
export interface MigrationConnection {
  readonly provider: Provider;
  /** What Prisma's schema engine works on: the one connection that holds the lock and the transaction. */
  readonly adapter: EngineAdapter;
  /** The rows of `_prisma_migrations` that were not rolled back; none where the table is missing. */
  applied(): Promise<AppliedMigration[]>;
  /**
   * Runs `work` while no other process migrates the same database, and keeps all of what it did or, when it throws,
   * nothing. Waits for another process a bounded time, then throws a `DatabaseStartError`.
   */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/**
 * Brings the database up to date, or where that is not wanted refuses one that is not, and closes `connection`. Returns
 * whether there were no tables before. Throws a `DatabaseStartError`.
 */
export async function makeTables(
  connection: MigrationConnection,
  isWanted: boolean,
  log: (message: string) => void,
): Promise<boolean> {
  try {
    if (!isWanted) {
      await requireMigrated(connection);
      return false;
    }
    const isEmpty = (await connection.applied()).length === 0;
    const names = await migrate(connection);
    for (const name of names) log(`Applied the migration ${name}`);
    return isEmpty && names.length > 0;
  } finally {
    await connection.close();
  }
}

/**
 * Brings the database up to date with the migration history in `folder` and returns the names of the migrations it
 * applied, oldest first. On a database that is up to date this is one query. All or nothing, and safe to run from
 * several processes at once. Throws a `DatabaseStartError` where the database must not be touched.
 */
export async function migrate(
  connection: MigrationConnection,
  folder = migrationsFolder(connection.provider),
): Promise<string[]> {
  const known = readMigrations(folder);
  const missing = async () => missingMigrations(known, await connection.applied());
  if ((await missing()).length === 0) return [];
  return connection.exclusively(async () => {
    // Another process may have done it while this one waited for its turn.
    const names = await missing();
    return names.length === 0 ? [] : apply(connection, folder, known);
  });
}

/** Throws a `DatabaseStartError` unless the database is up to date with this version's migrations. */
export async function requireMigrated(
  connection: MigrationConnection,
  folder = migrationsFolder(connection.provider),
): Promise<void> {
  const missing = missingMigrations(readMigrations(folder), await connection.applied());
  if (missing.length > 0) throw DatabaseStartError.older(missing);
}

async function apply(connection: MigrationConnection, folder: string, known: Migration[]): Promise<string[]> {
  let failed: { script: string; error: unknown } | undefined;
  const engine = await startSchemaEngine(connection.adapter, (script, error) => {
    failed ??= { script, error };
  });
  try {
    const migrationsList = migrationList(connection.provider, folder, known);
    return (await engine.applyMigrations({ migrationsList, filters: noFilters })).appliedMigrationNames;
  } catch (error) {
    const culprit = known.find(({ sql }) => sql === failed?.script);
    throw culprit ? DatabaseStartError.migrationFailed(culprit.name, failed?.error) : error;
  } finally {
    engine.free();
  }
}

/** The migration history in the engine's words. */
export function migrationList(provider: Provider, folder: string, migrations: Migration[]) {
  return {
    baseDir: folder,
    lockfile: { path: 'migration_lock.toml', content: `provider = "${provider}"\n` },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: sql } },
    })),
  };
}
