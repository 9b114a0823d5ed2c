import type pg from 'pg';
import type { Caller } from '../../caller.js';
import { connectionFault } from './connection-fault.js';
import type { FairPool } from './fair-pool.js';

/** Runs a statement on a connection in the turn of its caller. */
export async function runOnPool<Result>(
  pool: FairPool,
  caller: Caller | undefined,
  run: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.acquire(caller);
  let fault: Error | undefined;
  try {
    return await run(client);
  } catch (error) {
    fault = connectionFault(error);
    throw error;
  } finally {
    client.release(fault);
  }
}
