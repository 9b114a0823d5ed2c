/**
 * Notices commits of other processes while somebody listens. On SQLite the file's `data_version` shows them. On
 * PostgreSQL signals do; because a signal may get lost, it also looks for entries without a position, and for positions
 * that another process has given.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../database/open-database.js';

/** Milliseconds between two polls; the last value where signals arrive. */
const pollEvery = { sqlite: 40, postgresql: 80, behindSignals: 250 };

const queries = {
  sqlite: 'PRAGMA data_version',
  postgresql: `SELECT "position"::text,
      (SELECT max("entry")::text FROM "JournalEntry" WHERE "position" IS NULL) FROM "JournalState" WHERE "id" = $1`,
};

/** Calls `wake` when another process may have changed something. Returns the way to stop. */
export function watchOtherProcesses(
  { provider, read, signals }: Pick<Database, 'provider' | 'read' | 'signals'>,
  wake: () => void,
): () => void {
  const stopped = new AbortController();
  const listening = signals?.listen(wake);
  let known: string | undefined;
  const poll = async () => {
    const found = await read?.(queries[provider], provider === 'sqlite' ? [] : [1], 'bounded');
    const state = String(found?.[0]);
    // What was committed before the first poll may have been missed.
    if (known !== state) wake();
    known = state;
  };
  const watch = async () => {
    while (!stopped.signal.aborted) {
      // While the database does not answer, nothing can be read either.
      await poll().catch(() => undefined);
      const pause = pollEvery[listening?.isHearing ? 'behindSignals' : provider];
      await sleep(pause, undefined, { signal: stopped.signal, ref: false });
    }
  };
  watch().catch(() => undefined); // rejected when it is stopped
  return () => {
    stopped.abort();
    listening?.stop();
  };
}
