import { existsSync } from 'node:fs';
import type { Config } from '../config/config.js';
import { DatabaseStartError, type OpenedDatabase, openDatabase } from '../database/open-database.js';
import { sqlitePath } from '../database/sqlite/open-sqlite.js';

/** Opens the database of the settings for `work`. It neither creates nor migrates one; only a gateway does. */
export async function withDatabase<Result>(
  { databaseUrl: url }: Pick<Config, 'databaseUrl'>,
  work: (database: OpenedDatabase) => Promise<Result>,
): Promise<Result> {
  requireDatabase(url);
  const database = await openDatabase({ url, migrate: false });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** @throws DatabaseStartError if there is no SQLite file at `url`, which opening it would create */
export function requireDatabase(url: string): void {
  if (!url.startsWith('file:') || existsSync(sqlitePath(url))) return;
  throw new DatabaseStartError(
    `There is no database at ${sqlitePath(url)}. Start the gateway once, or set DATABASE_URL to where it is.`,
  );
}
