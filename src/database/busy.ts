import { setTimeout as sleep } from 'node:timers/promises';
import { busyError, isBusy } from './sqlite-errors.js';

/**
 * The result of `attempt`, which is tried again for as long as it finds the database locked, at most `limit`
 * milliseconds in all; then P1008. Between attempts the event loop is free, where SQLite's own busy timeout freezes it.
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
 * Waits before attempt number `tries` + 2: 1, 2, then 4 ms, each give or take a half, so that two processes in want of
 * one lock do not keep meeting. Longer pauses would leave the lock free while both wait; an attempt costs 10 µs.
 */
export async function pause(tries: number): Promise<void> {
  await sleep(Math.min(4, 2 ** tries) * (0.5 + Math.random()));
}
