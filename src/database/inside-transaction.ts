import type { MaybePromise } from '../common/maybe-promise.js';
import { drive, type Procedure } from '../common/work.js';
import { uncounted } from './answer-limit.js';
import { isWorthRepeating } from './database-problem.js';
import { type Caller, callers, inNameOf } from './direct-access.js';
import type { SeenDatabase, TransactionClient } from './open-database.js';
import { createSerialQueue } from './queues.js';
import { timestamp } from './statement-builder.js';

/**
 * Runs `work` in one transaction, with a database that works inside it: its changes are kept or rolled back with the
 * transaction, and its own transactions are savepoints, so that a failing one undoes only its own work.
 *
 * If a savepoint fails because of another transaction, all of `work` is rolled back and repeated, even if `work` has
 * handled the error, as GraphQL does for each field. A savepoint cannot be repeated by itself, because it keeps the
 * locks and snapshot of its transaction. So all of it starts again. @throws the conflict of the last attempt
 *
 * Savepoints of one transaction follow each other, also where fields of an answer ask for them at the same time: the one
 * that was begun last has to end first.
 */
export function inOneTransaction<Result>(
  database: SeenDatabase,
  work: (inner: SeenDatabase, tx: TransactionClient) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (tx) => {
    const conflicts: unknown[] = [];
    const inTurn = createSerialQueue();
    const noted = async <Part>(part: () => Promise<Part>): Promise<Part> => {
      try {
        return await inTurn(part, { last: true });
      } catch (error) {
        if (isWorthRepeating(error)) conflicts.push(error);
        throw error;
      }
    };
    // Listed one by one, because a spread leaves out the methods that a request's database has from its class.
    const inner: SeenDatabase = {
      provider: database.provider,
      limit: database.limit,
      read: undefined,
      client: tx,
      transaction: (part) => noted(() => tx.$transaction(part)),
      perform: (begin) => noted(() => tx.$transaction((savepoint) => runInTransaction(savepoint, begin()))),
    };
    try {
      const result = await work(inner, tx);
      if (conflicts.length === 0) return result;
    } catch (error) {
      if (conflicts.length === 0) throw error;
    }
    throw conflicts[0];
  });
}

/**
 * Runs a unit of work inside a transaction of Prisma, as raw statements. What a write reads for itself is not limited to what
 * its caller may see: its own conditions hold what the caller may change.
 */
export async function runInTransaction<Result>(tx: TransactionClient, work: Procedure<Result>): Promise<Result> {
  const caller = callers.getStore();
  return inNameOf(caller?.limit ? unlimited(caller) : caller, () => run(tx, work));
}

const unlimited = (caller: Caller): Caller => ({
  keyId: caller.keyId,
  get isOver() {
    return caller.isOver;
  },
  statements: caller.statements,
  whenOver: (stop) => caller.whenOver(stop),
});

function run<Result>(tx: TransactionClient, work: Procedure<Result>): MaybePromise<Result> {
  return drive(work, async ({ sql, values, isCounted }) => {
    if (isCounted) return [[await tx.$executeRawUnsafe(sql, ...values)]];
    const found = await uncounted(() => tx.$queryRawUnsafe<Record<string, unknown>[]>(sql, ...values).then());
    return found.map((row) => Object.values(row).map(asStored));
  });
}

/** Prisma converts timestamps to dates. A unit of work gets them as texts, as it does outside of Prisma. */
const asStored = (value: unknown): unknown => (value instanceof Date ? timestamp(value) : value);
