/**
 * Whether a connection leads to a pooler such as PgBouncer in transaction mode, which lends a session of the server for one
 * transaction. What a session keeps is then lost, or found by others: names of prepared statements, settings, locks of the
 * session, LISTEN.
 */
import type pg from 'pg';
import type { PostgresqlAddress } from '../../config/postgresql-address.js';

/** What the address says: `?pgbouncer=true`, or `false` for a pooler that lends whole sessions. Undefined if it says nothing. */
export function poolerIn({ parameters: { pgbouncer } }: PostgresqlAddress): boolean | undefined {
  return pgbouncer === undefined ? undefined : pgbouncer === 'true';
}

/**
 * Whether the process of the server that answers is not the one that the connection was given when it began: a pooler gives
 * a number of its own.
 */
export async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS "pid"');
  return !('processID' in client) || client.processID !== rows[0]?.pid;
}
