import pg from 'pg';

/** Milliseconds to wait for a lock. */
export const patience = 60_000;

/** A session of its own, for work on a whole database without the limits of requests. It is not connected yet. */
export function toolSession(connectionString: string, purpose: 'inspection' | 'migration'): pg.Client {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 10_000,
    lock_timeout: patience,
    application_name: `business-records-gateway ${purpose}`,
  });
  // Without a listener, an error of the idle session would end the process.
  client.on('error', () => undefined);
  return client;
}
