import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DatabaseStartError } from '../../database/database-start-error.js';

/** Milliseconds between two attempts. */
const pause = 500;

/**
 * The result of `open`, which is repeated for `limit` milliseconds while the database cannot be reached: at the start of a
 * machine, or while another server takes its place. @throws the last error
 */
export async function whenReachable<Result>(
  open: () => Promise<Result>,
  limit: number,
  log: Pick<Logger, 'warn'>,
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
