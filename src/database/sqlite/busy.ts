import { setTimeout as sleep } from 'node:timers/promises';
import { busyError, isBusy } from './sqlite-errors.js';

/**
 * The result of `attempt`, which is repeated while the database is locked, for at most `limit` milliseconds; then
 * P1008. Between attempts the event loop is free, whereas SQLite's own busy timeout would block it.
 */
export async function retryWhileBusy<Result>(attempt: () => Result, limit: number): Promise<Result> {
  const startedAt = performance.now();
  for (let tries = 0; ; tries++) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const waited = performance.now() - startedAt;
      if (waited >= limit) throw busyError(waited);
    }
    await pause(tries);
  }
}

/**
 * Waits before attempt number `tries` + 2: 1, 2, then 4 ms, each ±50 %, so that two processes that want the same lock
 * do not stay in step. Longer pauses would leave the lock unused, and an attempt costs only 10 µs.
 */
export async function pause(tries: number): Promise<void> {
  await sleep(Math.min(4, 2 ** tries) * (0.5 + Math.random()));
}
