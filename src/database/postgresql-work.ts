import type pg from 'pg';
import { performLater, type Value, type Work } from '../work.js';

/**
 * The result of a work over a connection of the pool, in a transaction, which begins with the first statement that is not all
 * the work changes.
 */
export async function performOverPool<Result>(
  pool: pg.Pool,
  queryOf: (sql: string, values: readonly Value[]) => pg.QueryArrayConfig,
  work: Work<Result>,
): Promise<Result> {
  let connection: pg.PoolClient | undefined;
  const begun = async () => {
    connection = await pool.connect();
    await connection.query('BEGIN');
    return connection;
  };
  try {
    const result = await performLater(work, async ({ sql, values, isWhole }) => {
      const through = connection ?? (isWhole ? pool : await begun());
      return (await through.query(queryOf(sql, values))).rows;
    });
    if (connection) await commit(connection);
    return result;
  } catch (error) {
    await connection?.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    connection?.release();
  }
}

/** PostgreSQL answers the COMMIT of a transaction that has failed with ROLLBACK, and no error. */
async function commit(connection: pg.PoolClient): Promise<void> {
  const { command } = await connection.query('COMMIT');
  if (command !== 'COMMIT') throw new Error(`COMMIT was answered with ${command}`);
}
