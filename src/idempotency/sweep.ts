import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../database/open.js';

/** Milliseconds an answer can be had again. */
export const keptFor = 24 * 60 * 60 * 1000;
/** Milliseconds until the first sweep, soon enough for a process that never lives for an hour, and between two. */
const sweeps = { first: 60 * 1000, every: 60 * 60 * 1000 };
/** Rows one statement deletes, and milliseconds until the next: on SQLite everybody waits for a statement. */
const batch = { rows: 20, pause: 20 };

type Swept = Pick<Database, 'client'>;

/** Forgets the answers of more than a day ago, a few at a time; returns how many. Ends early with the signal. */
export async function sweep({ client }: Swept, now = Date.now(), signal?: AbortSignal): Promise<number> {
  const old = new Date(now - keptFor);
  let count = 0;
  for (;;) {
    const deleted = await client.$executeRaw`
      DELETE FROM "IdempotentRequest" WHERE "id" IN
        (SELECT "id" FROM "IdempotentRequest" WHERE "createdAt" < ${old} ORDER BY "createdAt" LIMIT ${batch.rows})`;
    count += deleted;
    if (deleted < batch.rows || signal?.aborted) return count;
    await sleep(batch.pause, undefined, { ref: false });
  }
}

/**
 * Sweeps now and then for as long as the process lives, or until what it returns is called; a sweep that fails is only
 * logged, for the next one follows.
 */
export function keepSwept(database: Swept, log: Pick<Logger, 'warn'>, { first, every } = sweeps): () => void {
  const end = new AbortController();
  const { signal } = end;

  const run = async () => {
    for (let wait = first; ; wait = every) {
      await sleep(wait, undefined, { ref: false, signal });
      await sweep(database, undefined, signal).catch((err: unknown) =>
        log.warn({ err }, 'Old idempotent answers were not swept'),
      );
    }
  };
  // Only the end of the waiting rejects it.
  run().catch(() => undefined);
  return () => end.abort();
}
