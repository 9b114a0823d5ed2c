import type { Database, TransactionClient } from './open.js';

/**
 * A database that works inside an open transaction: its changes are kept or rolled back with that transaction, and its
 * own transactions are savepoints, so that a failing one undoes only its own work.
 */
export function within(database: Database, tx: TransactionClient): Database {
  return { ...database, read: undefined, write: undefined, client: tx, transaction: (work) => tx.$transaction(work) };
}
