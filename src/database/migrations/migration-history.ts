import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../common/project.js';
import { DatabaseStartError } from '../database-problem.js';

/**
 * What a version of the gateway learns from the name of a migration that it does not know. An expansion only adds what
 * that version does not use. A contraction takes away what an expansion has replaced, and names the expansion by its
 * time: a version that knows the expansion does not use what is taken away.
 */
const expansion = /^\d{14}_expand_\w+$/;
const contraction = /^\d{14}_contract_(\d{14})_\w+$/;

/** What the migration of this name does; undefined for a migration from before this convention of names. */
export function stepOf(name: string): { kind: 'expand' } | { kind: 'contract'; completes: string } | undefined {
  if (expansion.test(name)) return { kind: 'expand' };
  const completes = contraction.exec(name)?.[1];
  return completes === undefined ? undefined : { kind: 'contract', completes };
}

/** Whether a version with the migrations `known` works on a database that also has the migration `name`. */
function suits(name: string, known: readonly string[]): boolean {
  const step = stepOf(name);
  if (step?.kind !== 'contract') return step !== undefined;
  return known.some((each) => each.startsWith(`${step.completes}_`));
}

/** Whether a migration runs outside of a transaction, as PostgreSQL builds an index beside writers. */
export const isConcurrent = (sql: string): boolean => /\bCONCURRENTLY\b/i.test(sql.replace(/--.*/g, ''));

export type Provider = 'sqlite' | 'postgresql';

/** A migration history: that of a database, or that of PostgreSQL's profile `distributed`. */
export type MigrationHistory = Provider | 'distributed';

/** A folder `<timestamp>_<name>` of the migration history. */
export interface Migration {
  name: string;
  sql: string;
  /** SHA-256 of the file, as Prisma stores it. */
  checksum: string;
}

/** A row of `_prisma_migrations` that was not rolled back. */
export interface AppliedMigration {
  name: string;
  checksum: string;
  /** False while it runs, and forever if it failed. */
  finished: boolean;
}

export function migrationsFolder(history: MigrationHistory): string {
  return join(projectFolder, 'prisma', history, 'migrations');
}

/** The migrations in `folder`, oldest first. */
export function readMigrations(folder: string): Migration[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

/**
 * The names of the migrations that the database lacks, also of one that runs outside of a transaction and was interrupted.
 * @throws DatabaseStartError for a database that this version must not change: it has a migration that is unknown here and
 * takes away what this version uses, or only such, one that failed, or one whose file was changed afterwards
 */
export function missingMigrations(known: Migration[], applied: AppliedMigration[]): string[] {
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  const done = new Set<string>();
  const [first] = applied;
  if (first && !applied.some(({ name }) => byName.has(name))) {
    throw new DatabaseStartError(
      `The database belongs to another program: its migration ${first.name} is none of the gateway's, and it has none of those. ` +
        'Nothing in it was changed. Set DATABASE_URL to another database.',
    );
  }
  for (const { name, checksum, finished } of applied) {
    const migration = byName.get(name);
    if (!migration && !suits(name, [...byName.keys()])) {
      throw new DatabaseStartError(
        `The database belongs to a newer version of the gateway: its migration ${name} is unknown here. ` +
          'Start that version or a later one, restore a backup made before it, or name its profile in DATABASE_URL.',
      );
    }
    if (!migration) continue;
    if (migration.checksum !== checksum) {
      throw new DatabaseStartError(
        `The migration ${name} is not the one this database was made with: the file has changed since. ` +
          'Bring the file back to what it was and put the change into a migration of its own, or start on a new database.',
      );
    }
    if (finished) done.add(name);
    else if (!isConcurrent(migration.sql)) {
      throw new DatabaseStartError(
        `The migration ${name} was begun on this database by another tool and has not finished. ` +
          'If it is not running any more, repair what it left and settle it with `prisma migrate resolve`, or restore a backup.',
      );
    }
  }
  return known.map(({ name }) => name).filter((name) => !done.has(name));
}
