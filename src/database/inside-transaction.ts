import { type Procedure, runLater } from '../work.js';
import { uncounted } from './load-budget.js';
import type { Database, TransactionClient } from './open-database.js';

/**
 * A database that works inside an open transaction: its changes are kept or rolled back with that transaction, and its
 * own transactions are savepoints, so that a failing one undoes only its own work.
 */
export function insideTransaction(database: Database, tx: TransactionClient): Database {
  return {
    ...database,
    read: undefined,
    client: tx,
    transaction: (work) => tx.$transaction(work),
    perform: (begin) => tx.$transaction((inner) => runInTransaction(inner, begin())),
  };
}

/** Runs a unit of work inside a transaction of Prisma, as raw statements. */
export function runInTransaction<Result>(tx: TransactionClient, work: Procedure<Result>): Promise<Result> {
  return runLater(work, async ({ sql, values }) => {
    const found = await uncounted(() => tx.$queryRawUnsafe<Record<string, unknown>[]>(sql, ...values).then());
    return found.map((row) => Object.values(row));
  });
}
