/** The one place that turns an error of the database, at a start or in a command, into a line that says what to do. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, ExplainedError } from '../common/config-error.js';
import type { WrittenLog } from '../common/output.js';
import { DatabaseStartError } from './database-problem.js';
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

/** Milliseconds between two attempts to reach a database. */
const pause = 500;

/**
 * The result of `open`, which is repeated for `limit` milliseconds while the database cannot be reached: at the start of a
 * machine, or while another server takes its place. @throws the last error
 */
export async function whenReachable<Result>(
  open: () => Promise<Result>,
  limit: number,
  log: Pick<WrittenLog, 'warn'>,
): Promise<Result> {
  const until = performance.now() + limit;
  for (let told = ''; ; ) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof DatabaseStartError && error.mayPass) || performance.now() >= until) throw error;
      if (error.message !== told) log.warn(`${error.message} The start waits for it, up to ${limit / 1000} s in all`);
      told = error.message;
    }
    await sleep(Math.max(0, Math.min(pause, until - performance.now())));
  }
}
