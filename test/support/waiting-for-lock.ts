import { keptConnection } from './kept-connection.js';

/** How many statements wait for a lock in the database of PostgreSQL at `url`. */
export async function waitingForLock(url: string): Promise<number> {
  const client = keptConnection(url);
  const { rows } = await client.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'`,
    [new URL(url).pathname.slice(1)],
  );
  return rows.length;
}
