import type pg from 'pg';
import { performLater, type Value, type Work } from '../work.js';

/**
 * Runs a unit of work on PostgreSQL and resolves with its result. A statement marked `isWhole` runs without a
 * transaction; any other statement first takes a connection from the pool and begins one.
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

/** Commits. If the transaction has failed, PostgreSQL answers COMMIT with ROLLBACK instead of an error. */
async function commit(connection: pg.PoolClient): Promise<void> {
  const { command } = await connection.query('COMMIT');
  if (command !== 'COMMIT') throw new Error(`COMMIT was answered with ${command}`);
}
