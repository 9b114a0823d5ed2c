import type { Procedure } from '../../common/work.js';
import { SqliteConnection } from './sqlite-connection.js';

/** Runs a unit of work on a file that no other process uses, in its own transaction. */
export async function performIn<Result>(path: string, begin: () => Procedure<Result>): Promise<Result> {
  const connection = new SqliteConnection(path);
  try {
    connection.control('BEGIN IMMEDIATE');
    const result = await connection.perform(begin());
    connection.control('COMMIT');
    return result;
  } finally {
    connection.close();
  }
}
