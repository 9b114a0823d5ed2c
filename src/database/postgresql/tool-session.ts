import pg from 'pg';

/**
 * Milliseconds to wait for a lock. A migration waits for less at a time and begins again: requests that come meanwhile wait
 * behind it for a table that it is to change.
 */
const longestWait = { inspection: 60_000, migration: 1_000 };

/** A session of its own, for work on a whole database without the limits of requests. It is not connected yet. */
export function toolSession(connectionString: string, purpose: keyof typeof longestWait): pg.Client {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 10_000,
    lock_timeout: longestWait[purpose],
    application_name: `business-records-gateway ${purpose}`,
  });
  // Without a listener, an error of the idle session would end the process.
  client.on('error', () => undefined);
  return client;
}
