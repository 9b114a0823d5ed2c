import type pg from 'pg';
import type { Caller } from '../../caller.js';
import { isReported } from '../../commit-outcome.js';
import type { FairPool } from './fair-pool.js';

/** Runs a statement on a connection in the turn of its caller. */
export async function runOnPool<Result>(
  pool: FairPool,
  caller: Caller | undefined,
  run: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.lend(caller);
  let fault: Error | undefined;
  try {
    return await run(client);
  } catch (error) {
    // The connection is lost, or the answer to the statement may still come: the pool closes it.
    if (!isReported(error)) fault = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(fault);
  }
}
