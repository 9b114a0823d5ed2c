import { setTimeout as sleep } from 'node:timers/promises';
import type { Read } from './direct-access.js';

/** Milliseconds after which a database that has not answered counts as gone. */
export const PING_MILLIS = 5_000;

/** Resolves if the database answers; rejects within five seconds if it does not. */
export async function ping(read: Read): Promise<void> {
  const deadline = new AbortController();
  const late = sleep(PING_MILLIS, undefined, deadline).then(() => {
    throw Object.assign(new Error(`The database has not answered within ${PING_MILLIS} ms`), { code: 'ETIMEDOUT' });
  });
  try {
    await Promise.race([read('SELECT 1 FROM "_prisma_migrations" LIMIT 1', [], 'bounded'), late]);
  } finally {
    late.catch(() => undefined);
    deadline.abort();
  }
}
