/**
 * `npm run migrate`: migrates the database and exits, for gateways that run with `MIGRATE=false`. Prints the applied
 * migrations; on an error it exits with 1 and prints what to do.
 */
import { ConfigError, readConfig } from './config.js';
import { DatabaseStartError, openDatabase } from './database/open-database.js';
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
