/**
 * `npm run migrate`: brings the database up to date and ends, for those who start the gateway with `MIGRATE=false`.
 * Prints what it applied; ends with 1 and a line that says what to do where the database cannot be used.
 */
import { ConfigError, readConfig } from './config.js';
import { DatabaseStartError, openDatabase } from './database/open.js';
import { migrateHelp, UsageError, wantsHelp } from './start/help.js';

try {
  if (wantsHelp('npm run migrate')) process.stdout.write(migrateHelp());
  else await bringUpToDate();
} catch (error) {
  const isForeseen = [DatabaseStartError, ConfigError, UsageError].some((kind) => error instanceof kind);
  if (!(error instanceof Error && isForeseen)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function bringUpToDate(): Promise<void> {
  const { databaseUrl } = readConfig(process.env);
  const log = (message: string) => process.stdout.write(`${message}\n`);
  const database = await openDatabase({ url: databaseUrl, migrate: true, log });
  await database.close();
  log('The database is up to date.');
}
