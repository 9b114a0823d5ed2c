import { setTimeout as sleep } from 'node:timers/promises';
import { adapterErrorOf, databaseProblem } from './problem.js';
import { GroupLostError } from './sqlite-errors.js';

/** Attempts in all, the first included. */
const ATTEMPTS = 6;

/**
 * The result of `work`, which is run again when the database undid it for the sake of another transaction:
 * a serialization failure or a deadlock on PostgreSQL (40001, 40P01, P2034), a lost group on SQLite. At most six times,
 * with a growing, random pause of at most 10, 20, 40 … ms; then the last error.
 */
export async function retry<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isWorthRepeating(error)) throw error;
    }
    await sleep(Math.random() * 10 * 2 ** (attempt - 1));
  }
}

function isWorthRepeating(error: unknown): boolean {
  return databaseProblem(error) === 'conflict' || adapterErrorOf(error) instanceof GroupLostError;
}
