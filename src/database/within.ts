import type { Database, TransactionClient } from './open.js';

/**
 * The database as seen from inside an open transaction: everything done through it is kept or undone with that
 * transaction, and its own transactions are savepoints, so that one that fails takes only its own work back.
 */
export function within(database: Database, tx: TransactionClient): Database {
  let opened = 0;
  return {
    ...database,
    client: tx,
    async transaction(work) {
      const savepoint = `nested_${++opened}`;
      await tx.$executeRawUnsafe(`SAVEPOINT ${savepoint}`);
      try {
        const result = await work(tx);
        await tx.$executeRawUnsafe(`RELEASE SAVEPOINT ${savepoint}`);
        return result;
      } catch (error) {
        await tx.$executeRawUnsafe(`ROLLBACK TO SAVEPOINT ${savepoint}`);
        throw error;
      }
    },
  };
}
