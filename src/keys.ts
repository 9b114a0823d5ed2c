/**
 * `npm run keys`: manages API keys on the database of DATABASE_URL, also while gateways use it. On an error it exits
 * with 1 and prints what to do.
 */
import { existsSync } from 'node:fs';
import { createKey, listKeys, revokeKey, rotateKey } from './access/api-keys.js';
import { ConfigError, readConfig } from './config.js';
import { type Database, DatabaseStartError, openDatabase } from './database/open-database.js';
import { sqlitePath } from './database/sqlite/open-sqlite.js';
import { GatewayError } from './errors.js';
import { type KeyAdministration, keysCommand } from './keys/keys-command.js';

process.stdout.on('error', () => {}); // a reader of the output may close the pipe early

const office: KeyAdministration = {
  create: (input) => withDatabase((database) => createKey(database, input)),
  list: (options) => withDatabase((database) => listKeys(database, options)),
  rotate: (id, rotation) => withDatabase((database) => rotateKey(database, id, rotation)),
  revoke: (id) => withDatabase((database) => revokeKey(database, id)),
};

try {
  await keysCommand(office, (text) => process.stdout.write(text)).parseAsync();
} catch (error) {
  const lines = messagesOf(error);
  if (!lines) throw error;
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exitCode = 1;
}

async function withDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  const { databaseUrl: url } = readConfig(process.env);
  // The command neither creates nor migrates a database; only a gateway does.
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

/** What to tell the user; undefined for an unexpected error. */
function messagesOf(error: unknown): string[] | undefined {
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
