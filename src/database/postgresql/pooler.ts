/**
 * Whether a connection leads to a pooler such as PgBouncer in transaction mode, which lends a session of the server for one
 * transaction. What a session keeps is then lost, or found by others: names of prepared statements, settings, locks of the
 * session, LISTEN.
 */
import type pg from 'pg';
import type { PostgresqlAddress } from '../address/postgresql-address.js';

/** What the address says: `?pgbouncer=true`, or `false` for a pooler that lends whole sessions. Undefined if it says nothing. */
export function poolerIn({ parameters: { pgbouncer } }: PostgresqlAddress): boolean | undefined {
  return pgbouncer === undefined ? undefined : pgbouncer === 'true';
}

/**
 * Whether the process of the server that answers is not the one that the connection was given when it began: a pooler gives
 * a number of its own. `longest` is how many milliseconds the answer may take, where the connection has no limit.
 */
export async function isPooled(client: pg.Client, longest?: number): Promise<boolean> {
  const question = { text: 'SELECT pg_backend_pid() AS "pid"', query_timeout: longest };
  const { rows } = await client.query<{ pid: number }>(question);
  return !('processID' in client) || client.processID !== rows[0]?.pid;
}
