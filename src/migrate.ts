/**
 * `npm run migrate`: brings the database up to date and ends, for those who start the gateway with `MIGRATE=false`.
 * Prints what it applied; ends with 1 and a line that says what to do where the database cannot be used.
 */
import { ConfigError, readConfig } from './config.js';
import { DatabaseStartError, openDatabase } from './database/open.js';

try {
  const { databaseUrl } = readConfig(process.env);
  const log = (message: string) => process.stdout.write(`${message}\n`);
  const database = await openDatabase({ url: databaseUrl, migrate: true, log });
  await database.close();
  log('The database is up to date.');
} catch (error) {
  if (!(error instanceof DatabaseStartError || error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
