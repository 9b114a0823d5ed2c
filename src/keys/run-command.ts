/** Runs the commands that manage a database: `npm run keys`, `npm run webhooks`. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { ConfigError, readConfig } from '../config.js';
import { type Database, DatabaseStartError, openDatabase } from '../database/open-database.js';
import { sqlitePath } from '../database/sqlite/open-sqlite.js';
import { GatewayError } from '../errors.js';

/** Runs a command as it was typed. On an error it prints what to do, and the process will exit with 1. */
export async function runCommand(command: Command): Promise<void> {
  process.stdout.on('error', () => {}); // a reader of the output may close the pipe early
  try {
    await command.parseAsync();
  } catch (error) {
    const lines = messagesOf(error);
    if (!lines) throw error;
    process.stderr.write(`${lines.join('\n')}\n`);
    process.exitCode = 1;
  }
}

/**
 * Opens the database that `environment` names for `work`. The command neither creates nor migrates one; only a gateway
 * does.
 */
export async function withDatabase<Result>(
  environment: NodeJS.ProcessEnv,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl: url } = readConfig(environment);
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
export function messagesOf(error: unknown): string[] | undefined {
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
