import pg from 'pg';

/** How many statements wait for a lock in the database of PostgreSQL at `url`. */
export async function waitingForLock(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  await client.end();
  return rows.length;
}
