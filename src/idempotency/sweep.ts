import type { Logger } from 'pino';
import type { Database } from '../database/open.js';

/** Milliseconds an answer can be had again. */
export const keptFor = 24 * 60 * 60 * 1000;
/** Milliseconds until the first sweep, soon enough for a process that never lives for an hour, and between two. */
const sweeps = { first: 60 * 1000, every: 60 * 60 * 1000 };

/** Forgets the answers of more than a day ago; returns how many. */
export async function sweep({ client }: Pick<Database, 'client'>, now = Date.now()): Promise<number> {
  const { count } = await client.idempotentRequest.deleteMany({
    where: { createdAt: { lt: new Date(now - keptFor) } },
  });
  return count;
}

/**
 * Sweeps now and then for as long as the process lives, or until what it returns is called; a sweep that fails is only
 * logged, for the next one follows.
 */
export function keepSwept(database: Database, log: Pick<Logger, 'warn'>, { first, every } = sweeps): () => void {
  const run = () => sweep(database).catch((err: unknown) => log.warn({ err }, 'Old idempotent answers were not swept'));
  const timers = [setTimeout(run, first).unref(), setInterval(run, every).unref()];
  return () => timers.forEach(clearTimeout);
}
