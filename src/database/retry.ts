import { setTimeout as sleep } from 'node:timers/promises';
import { adapterErrorOf, databaseProblem } from './database-problem.js';
import { GroupLostError } from './sqlite/sqlite-errors.js';

/** The number of attempts, including the first. */
const ATTEMPTS = 6;

/**
 * The result of `work`, which is repeated when the database rolled it back because of another transaction: a
 * serialization failure or deadlock on PostgreSQL (40001, 40P01, P2034), a lost commit group on SQLite. At most six
 * attempts, with random pauses of up to 10, 20, 40 … ms; then it throws the last error.
 */
export const retry = <Result>(work: () => Promise<Result>, attempt = 1): Promise<Result> =>
  work().catch(async (error) => {
    if (attempt === ATTEMPTS || !isWorthRepeating(error)) throw error;
    await sleep(Math.random() * 10 * 2 ** (attempt - 1));
    return retry(work, attempt + 1);
  });

/** Whether the database has rolled the work back because of another transaction. */
export function isWorthRepeating(error: unknown): boolean {
  return databaseProblem(error) === 'conflict' || adapterErrorOf(error) instanceof GroupLostError;
}
