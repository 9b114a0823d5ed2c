/**
 * What commands do with a database, in one module that they load when they are asked for it: each module that is loaded
 * by itself would split the bundle further, also for `serve`.
 */
import { existsSync } from 'node:fs';
import { keepJournal } from '../change/journal/keep-journal.js';
import { openJournal } from '../change/journal/open-journal.js';
import { explainingStart } from '../database/explain-start.js';
import { requireRights } from '../database/migrations/schema-objects.js';
import { DatabaseStartError, type OpenedDatabase, openDatabase } from '../database/open-database.js';
import { readMigrationStatus } from '../database/prepare-database.js';
import { sqlitePath } from '../database/sqlite/open-sqlite.js';
import type { CurrentGrants } from '../gateway/access/grants.js';
import type { Config } from '../gateway/config/config.js';
import { type Feature, grantsOf, servedFeatures } from '../gateway/feature.js';
import { allResources } from '../model/resources.js';
import { atSignals } from './process.js';

export { explainingStart, openDatabase, readMigrationStatus, sqlitePath };

/** Opens the database of the settings for `work`. It neither creates nor migrates one. */
export async function withDatabase<Result>(
  { databaseUrl: url }: Pick<Config, 'databaseUrl'>,
  work: (database: OpenedDatabase) => Promise<Result>,
  onlyReads = false,
): Promise<Result> {
  requireDatabase(url);
  const database = await openDatabase({ url, migrate: false, onlyReads });
  try {
    return await explainingStart(url, () => work(database));
  } finally {
    await database.close();
  }
}

/** The same for `work` that only reads: on a standby of PostgreSQL too, and where this user may not write. */
export const readDatabase = <Result>(
  config: Pick<Config, 'databaseUrl'>,
  work: (database: OpenedDatabase) => Promise<Result>,
): Promise<Result> => withDatabase(config, work, true);

/**
 * Opens the database of the settings for `work`, which fills it. Like a gateway, it makes a database where there is none,
 * unless MIGRATE is false, and keeps the journal, unless JOURNAL is false. One that lacks migrations is refused: a gateway
 * of the version before may be using it. `tell` is called
 * once it has made one, `interrupt` when somebody ends the process.
 */
export async function fillDatabase<Result>(
  { databaseUrl: url, migrate, journal: keepsJournal }: Pick<Config, 'databaseUrl' | 'migrate' | 'journal'>,
  { tell, interrupt }: { tell(text: string): void; interrupt(): void },
  work: (database: OpenedDatabase) => Promise<Result>,
): Promise<Result> {
  if (migrate && (await readMigrationStatus(url)).applied.length === 0) {
    const made = await openDatabase({ url, migrate });
    await made.close();
    tell(url.startsWith('file:') ? `Made the database ${sqlitePath(url)}.\n` : 'Made the tables of the database.\n');
  }
  const forget = atSignals(interrupt, 300);
  try {
    return await withDatabase({ databaseUrl: url }, async (database) => {
      await requireRights(database);
      if (!keepsJournal) return work(database);
      const journal = await openJournal(database, allResources, true);
      const stopKeeping = keepJournal(database, journal, undefined, { warn: () => {} });
      try {
        return await work(database);
      } finally {
        stopKeeping();
      }
    });
  } finally {
    forget();
  }
}

/** @throws DatabaseStartError if there is no SQLite file at `url`, which opening it would create */
export function requireDatabase(url: string): void {
  if (!url.startsWith('file:') || existsSync(sqlitePath(url))) return;
  throw new DatabaseStartError(
    `There is no database at ${sqlitePath(url)}. Start the gateway once, or set DATABASE_URL to where it is.`,
  );
}

/** What callers get by their roles, as a gateway with this configuration would give it. @throws ConfigError */
export async function grantsOfCommand(features: readonly Feature[], config: Config): Promise<CurrentGrants> {
  const served = await servedFeatures(features, config);
  for (const { grants, reloads } of served) if (grants) reloads?.read(config, [])();
  return grantsOf(served);
}
