/**
 * `npm run keys`: API keys from the command line, on the database DATABASE_URL names, while gateways use it or not. Ends
 * with 1 and a line that says what to do where something is wrong.
 */
import { existsSync } from 'node:fs';
import { createKey, listKeys, revokeKey, rotateKey } from './access/keys.js';
import { ConfigError, readConfig } from './config.js';
import { type Database, DatabaseStartError, openDatabase } from './database/open.js';
import { sqlitePath } from './database/open-sqlite.js';
import { GatewayError } from './errors.js';
import { type KeyOffice, keysCommand } from './keys/command.js';

process.stdout.on('error', () => {}); // whoever reads our output may stop reading

const office: KeyOffice = {
  create: (input) => withDatabase((database) => createKey(database, input)),
  list: (options) => withDatabase((database) => listKeys(database, options)),
  rotate: (id, rotation) => withDatabase((database) => rotateKey(database, id, rotation)),
  revoke: (id) => withDatabase((database) => revokeKey(database, id)),
};

try {
  await keysCommand(office, (text) => process.stdout.write(text)).parseAsync();
} catch (error) {
  const lines = mendOf(error);
  if (!lines) throw error;
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exitCode = 1;
}

async function withDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  const { databaseUrl: url } = readConfig(process.env);
  // Neither made nor brought up to date here: that is for the gateway of the version that runs on it.
  if (url.startsWith('file:') && !existsSync(sqlitePath(url))) {
    throw new DatabaseStartError(
      `There is no database at ${sqlitePath(url)}. Start the gateway once, or set DATABASE_URL to where it is.`,
    );
  }
  const database = await openDatabase({ url, migrate: false });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** What to tell whoever runs the command; undefined for what nobody foresaw. */
function mendOf(error: unknown): string[] | undefined {
  if (error instanceof ConfigError) return [...error.problems];
  if (error instanceof DatabaseStartError) return [error.message];
  if (!(error instanceof GatewayError)) return undefined;
  const { problems } = error.details;
  return problems
    ? problems.map(({ path, message }) => `${nameIn(path)} ${message}.`.replace(/\?\.$/, '?'))
    : [error.message];
}

/** `["input", "scopes", 1]` → `scopes, number 2,` */
function nameIn(path: readonly (string | number)[]): string {
  return path
    .filter((part) => part !== 'input')
    .map((part) => (typeof part === 'number' ? `number ${part + 1}` : part))
    .join(', ');
}
