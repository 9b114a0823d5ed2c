/** The one place that turns an error of the database, at a start or in a command, into a line that says what to do. */
import { ConfigError, ExplainedError } from '../common/config-error.js';
import type { DatabaseStartError } from './database-problem.js';
import { databaseUrlProblem } from './database-url.js';
import { sqlitePath } from './sqlite/open-sqlite.js';
import { sqliteStartProblem } from './sqlite/sqlite-errors.js';
import { requireUsable } from './sqlite/sqlite-file.js';

/**
 * The result of `work` on the database of `url`, which `setting` gave. @throws DatabaseStartError, ConfigError; an error of
 * another origin as it is
 */
export async function explainingStart<Result>(
  url: string,
  work: () => Promise<Result>,
  setting = 'DATABASE_URL',
): Promise<Result> {
  const problem = databaseUrlProblem(url);
  if (problem !== undefined) throw new ConfigError([`${setting} ${problem}`]);
  if (url.startsWith('file:')) requireUsable(sqlitePath(url));
  try {
    return await work();
  } catch (error) {
    if (error instanceof ExplainedError) throw error;
    throw (await problemOf(url, error, setting)) ?? error;
  }
}

async function problemOf(url: string, error: unknown, setting: string): Promise<DatabaseStartError | undefined> {
  if (url.startsWith('file:')) return sqliteStartProblem(sqlitePath(url), error);
  const { postgresqlStartProblem } = await import('./postgresql/start-problem.js');
  return postgresqlStartProblem(url, error, setting);
}
