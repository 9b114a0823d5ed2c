import { randomUUID } from 'node:crypto';
import type { Rows } from '../../common/work.js';
import { DatabaseStartError, databaseMessage, isBlocked } from '../database-problem.js';
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
import { appliedOrRefuse, compareSchema, home } from './schema-objects.js';

/** A separate connection for migrating a database. */
export interface MigrationConnection {
  readonly provider: Provider;
  readonly history: MigrationHistory;
  /** The rows of a statement, and its columns with their types as the driver numbers them. */
  query(
    sql: string,
    values?: readonly unknown[],
  ): Promise<{ columnNames: string[]; columnTypes: number[]; rows: Rows }>;
  /** Runs a script: in the transaction of `exclusively`, or outside of it if it builds an index beside writers. */
  run(script: string, isBeside?: boolean): Promise<void>;
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
    const before = await statusOf(connection);
    const { applied, missing } = before;
    if (missing.length > 0 && !isWanted) {
      throw new DatabaseStartError(
        `The database lacks ${missing.length === 1 ? 'the migration' : 'the migrations'} ${missing.join(', ')}, ` +
          'and this does not apply them. Run `records migrate apply`, or start the gateway without MIGRATE=false.',
      );
    }
    const names = missing.length > 0 ? await migrate(connection) : [];
    for (const name of names) log(`Applied the migration ${name}`);
    const { differing, risks } = missing.length > 0 ? await statusOf(connection) : before;
    requireComplete(differing);
    for (const risk of risks) warn(risk);
    const isEmpty = applied.length === 0;
    return { isNew: isEmpty && names.length > 0, isUpgraded: !isEmpty && names.length > 0 };
  } finally {
    await connection.close();
  }
}

function requireComplete(differences: readonly string[] = []): void {
  if (differences.length === 0) return;
  const further = differences.length - 2;
  const isTold = differences.every((difference) => difference.includes('; run '));
  throw new DatabaseStartError(
    `The database is not what its migrations make: ${differences.slice(0, 2).join('. ')}${further > 0 ? `, and ${further} more` : ''}. ` +
      `\`records check\` names all.${isTold ? '' : ' Was it restored, and that not to the end? Restore it again.'}`,
  );
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
    await apply(
      connection,
      known.filter(({ name }) => names.includes(name)),
    );
    return names;
  });
}

/**
 * The names of the migrations that a database has, and of those of this version that it lacks, oldest first. @throws
 * DatabaseStartError for a database that this version must not change
 */
export async function statusOf(connection: MigrationConnection) {
  const folder = migrationsFolder(connection.history);
  const applied = await appliedOrRefuse(connection, folder);
  const missing = missingMigrations(readMigrations(folder), applied);
  const { differing, risks } = await compareSchema(connection, folder);
  const names = applied.map(({ name }) => name).sort();
  return { applied: names, missing, differing: missing.length === 0 ? differing : undefined, risks };
}

/** Writes down what it applies as Prisma's own tools do, so that these can be used on the database too. */
async function apply(connection: MigrationConnection, migrations: readonly Migration[]): Promise<void> {
  const isNew = (await connection.applied()).length === 0;
  if (isNew) {
    await requireEmpty(connection);
    await connection.run(table[connection.provider]);
  }
  /** The last one that is not undone where a later one fails, because it builds an index outside of the transaction. */
  let kept: string | undefined;
  for (const { name, sql, checksum } of migrations) {
    const id = randomUUID();
    // One that runs outside of a transaction and was interrupted is run again. What an operator has settled stays written down.
    await connection.run(`DELETE FROM _prisma_migrations
      WHERE migration_name = '${name}' AND finished_at IS NULL AND rolled_back_at IS NULL;
      INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('${id}', '${checksum}', '${name}')`);
    const isBeside = isConcurrent(sql) && !isNew;
    if (isBeside) kept = name;
    try {
      // A new database has no writers, so an index is built in the transaction of its table.
      await connection.run(isNew ? sql.replace(/\bCONCURRENTLY\b/gi, '') : sql, isBeside);
    } catch (error) {
      throw new DatabaseStartError(
        `The migration ${name} cannot be applied: ${databaseMessage(error)}. ` +
          (kept === undefined
            ? 'The database is as it was before. '
            : `What was applied up to ${kept}, which builds an index beside writers, is not undone; the next start goes on there. `) +
          (isBlocked(error)
            ? 'Other transactions have held what it changes for too long: end them, and start again. ' +
              'On PostgreSQL, pg_stat_activity names them by their xact_start.'
            : 'Start the version that ran before, and report the migration.'),
        { cause: error },
      );
    }
    await connection.run(`UPDATE _prisma_migrations SET finished_at = CURRENT_TIMESTAMP, applied_steps_count = 1
      WHERE id = '${id}'`);
  }
}

/** Nothing is made among the tables of another program. On SQLite the file was looked at before it was opened. */
async function requireEmpty({ provider, query }: MigrationConnection): Promise<void> {
  if (provider === 'sqlite') return;
  const { rows } = await query(
    `SELECT FROM pg_class WHERE "relnamespace" = ${home} AND "relkind" IN ('r', 'p') AND "relname" <> '_prisma_migrations' LIMIT 1`,
  );
  if (rows.length > 0) throw Object.assign(new Error('The schema is not empty'), { code: 'P3005' });
}

/** The table of Prisma's own tools. */
const table: Record<Provider, string> = {
  sqlite: `CREATE TABLE IF NOT EXISTS "_prisma_migrations" ("id" TEXT PRIMARY KEY NOT NULL, "checksum" TEXT NOT NULL,
    "finished_at" DATETIME, "migration_name" TEXT NOT NULL, "logs" TEXT, "rolled_back_at" DATETIME,
    "started_at" DATETIME NOT NULL DEFAULT current_timestamp, "applied_steps_count" INTEGER UNSIGNED NOT NULL DEFAULT 0)`,
  postgresql: `CREATE TABLE IF NOT EXISTS _prisma_migrations (id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL,
    finished_at TIMESTAMPTZ, migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`,
};
