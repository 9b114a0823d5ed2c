import { setTimeout as sleep } from 'node:timers/promises';
import { adapterErrorOf, isUndoneByOthers } from './database-problem.js';
import type { Profile } from './database-url.js';
import { GroupLostError } from './sqlite/sqlite-errors.js';

/** The number of attempts, including the first: on one machine, and where transactions undo each other more often. */
const attemptsOf = { postgresql: 6, distributed: 20 };

/** Milliseconds of the longest pause. */
const longestPause = 320;

/**
 * The result of `work`, which is repeated when the database rolled it back because of another transaction: a
 * serialization failure or deadlock on PostgreSQL (40001, 40P01, P2034), a lost commit group on SQLite. At most six
 * attempts, with the profile `distributed` twenty, with random pauses of up to 10, 20, 40 … 320 ms; then it throws the last
 * error.
 */
export async function retry<Result>(work: () => Promise<Result>, profile: Profile = 'postgresql'): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attemptsOf[profile] || !isWorthRepeating(error)) throw error;
    }
    await sleep(Math.random() * Math.min(longestPause, 10 * 2 ** (attempt - 1)));
  }
}

/** Whether the database has rolled the work back because of another transaction. */
export function isWorthRepeating(error: unknown): boolean {
  return isUndoneByOthers(error) || adapterErrorOf(error) instanceof GroupLostError;
}
