import pg from 'pg';

const kept = new Map<string, pg.Pool>();

/**
 * Connections to the database `postgres` of the server at `url`, which this process keeps: to make one for each question takes
 * the server longer than to answer it.
 */
export function keptConnection(url: string): pg.Pool {
  const address = new URL(url);
  address.pathname = 'postgres';
  const connectionString = address.href;
  const known = kept.get(connectionString) ?? new pg.Pool({ connectionString, max: 2, idleTimeoutMillis: 0 });
  if (!kept.has(connectionString)) {
    // The server may stop before this process does.
    known.on('error', () => undefined);
    kept.set(connectionString, known);
  }
  return known;
}
