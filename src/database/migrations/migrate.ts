import { DatabaseStartError } from '../database-problem.js';
import {
  type AppliedMigration,
  isConcurrent,
  type Migration,
  type MigrationHistory,
  migrationsFolder,
  missingMigrations,
  type Provider,
  readMigrations,
} from './migration-history.js';
import { type EngineAdapter, noFilters, startSchemaEngine } from './schema-engine.js';
import { appliedOrRefuse, schemaDifferences, schemaRisks } from './schema-objects.js';

/** A separate connection for migrating a database. */
export interface MigrationConnection {
  readonly provider: Provider;
  readonly history: MigrationHistory;
  /** The adapter for Prisma's schema engine, on the connection that holds the lock and the transaction. */
  readonly adapter: EngineAdapter;
  /** The rows of `_prisma_migrations` that were not rolled back; none if the table does not exist. */
  applied(): Promise<AppliedMigration[]>;
  /**
   * Runs `work` while no other process can migrate this database. If it throws, everything it did is rolled back. Waits
   * for another process for a limited time, then throws a `DatabaseStartError`.
   */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/**
 * Applies the missing migrations, or, if `isWanted` is false, refuses a database that lacks any. Then refuses one that lacks
 * something of what they make. Closes `connection`. Returns whether the database was empty before, and whether it was of an earlier
 * version. @throws DatabaseStartError
 */
export async function migrateOrRefuse(
  connection: MigrationConnection,
  isWanted: boolean,
  log: (message: string) => void,
  warn: (message: string) => void = () => undefined,
): Promise<{ isNew: boolean; isUpgraded: boolean }> {
  try {
    const folder = migrationsFolder(connection.history);
    const isEmpty = (await appliedOrRefuse(connection, folder)).length === 0;
    if (!isWanted) await requireMigrated(connection);
    const names = isWanted ? await migrate(connection) : [];
    for (const name of names) log(`Applied the migration ${name}`);
    const found = await schemaDifferences(connection, folder);
    if (found?.length) throw DatabaseStartError.incomplete(found);
    for (const risk of await schemaRisks(connection, folder)) warn(risk);
    return { isNew: isEmpty && names.length > 0, isUpgraded: !isEmpty && names.length > 0 };
  } finally {
    await connection.close();
  }
}

/**
 * Applies the missing migrations of `folder` and returns their names, oldest first. Costs one query if none is missing.
 * All or nothing, and safe to run from several processes at once. @throws DatabaseStartError for a database that this
 * version must not change
 */
export async function migrate(
  connection: MigrationConnection,
  folder = migrationsFolder(connection.history),
): Promise<string[]> {
  const known = readMigrations(folder);
  const missing = async () => missingMigrations(known, await connection.applied());
  if ((await missing()).length === 0) return [];
  return connection.exclusively(async () => {
    // Another process may have applied them while this one waited for the lock.
    const names = await missing();
    return names.length === 0 ? [] : apply(connection, folder, known, names);
  });
}

/** The names of the migrations that a database has, and of those of this version that it lacks, oldest first. */
export interface MigrationStatus {
  applied: string[];
  missing: string[];
  /** A sentence about each table, index, trigger … that is not as the migrations make it; undefined if not compared. */
  differing: string[] | undefined;
  /** A sentence about each thing with which records may be lost or refused, but need not. */
  risks: string[];
}

/** Closes `connection`. @throws DatabaseStartError for a database that this version must not change */
export async function migrationStatus(connection: MigrationConnection): Promise<MigrationStatus> {
  try {
    const folder = migrationsFolder(connection.history);
    const applied = await appliedOrRefuse(connection, folder);
    const missing = missingMigrations(readMigrations(folder), applied);
    const differing = missing.length === 0 ? await schemaDifferences(connection, folder) : undefined;
    return {
      applied: applied.map(({ name }) => name).sort(),
      missing,
      differing,
      risks: await schemaRisks(connection, folder),
    };
  } finally {
    await connection.close();
  }
}

/** @throws DatabaseStartError unless the database has all migrations of this version */
export async function requireMigrated(
  connection: MigrationConnection,
  folder = migrationsFolder(connection.history),
): Promise<void> {
  const missing = missingMigrations(readMigrations(folder), await connection.applied());
  if (missing.length > 0) throw DatabaseStartError.older(missing);
}

async function apply(
  connection: MigrationConnection,
  folder: string,
  known: Migration[],
  missing: readonly string[],
): Promise<string[]> {
  // In a new database everything is one transaction.
  const isNew = known.length === missing.length;
  let failed: { script: string; error: unknown } | undefined;
  const engine = await startSchemaEngine(connection.adapter, (script, error) => {
    failed ??= { script, error };
  });
  try {
    await forgetInterrupted(connection, known);
    const migrationsList = migrationList(connection.provider, folder, known);
    return (await engine.applyMigrations({ migrationsList, filters: noFilters })).appliedMigrationNames;
  } catch (error) {
    const culprit = known.find(({ sql }) => sql === failed?.script);
    if (!culprit) throw error;
    const begun = known.filter(({ name }) => missing.includes(name) && name <= culprit.name);
    const kept = isNew ? undefined : begun.findLast(({ sql }) => isConcurrent(sql))?.name;
    throw DatabaseStartError.migrationFailed(culprit.name, failed?.error, kept);
  } finally {
    engine.free();
  }
}

/** Forgets an interrupted migration that runs outside of a transaction: it can be run again. */
async function forgetInterrupted({ applied, adapter }: MigrationConnection, known: Migration[]): Promise<void> {
  for (const { name, finished } of await applied()) {
    if (finished || !known.some((migration) => migration.name === name)) continue;
    const sql = `DELETE FROM _prisma_migrations WHERE migration_name = '${name}' AND finished_at IS NULL`;
    await adapter.executeRaw({ sql, args: [], argTypes: [] });
  }
}

/** The migration history in the format of the schema engine. */
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
