import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds that the last work on the database may take when the process stops, after requests have had their time. */
const CLOSE_TIME = 4_000;

/**
 * Calls `close`, and resolves with whether it was done in time. It is not, while another program keeps a lock: what waits
 * for it is then left behind, so that the process ends in any case. Nothing of it was acknowledged.
 */
export async function closeInTime(close: () => Promise<void>): Promise<boolean> {
  const patience = new AbortController();
  const late = sleep(CLOSE_TIME, false, { signal: patience.signal }).catch(() => false);
  try {
    return await Promise.race([close().then(() => true), late]);
  } finally {
    patience.abort();
  }
}
