import type { Database, TransactionClient } from './open.js';

/**
 * The database as seen from inside an open transaction: everything done through it is kept or undone with that
 * transaction, and its own transactions are savepoints, so that one that fails takes only its own work back.
 */
export function within(database: Database, tx: TransactionClient): Database {
  return { ...database, read: undefined, write: undefined, client: tx, transaction: (work) => tx.$transaction(work) };
}
