/** Runs a write in a transaction that also reads the answer, or in one that is rolled back. */

import { HeldLog } from '../common/log.js';
import { inTransaction, type Procedure } from '../common/work.js';
import { inOneTransaction, runInTransaction } from '../database/inside-transaction.js';
import type { TransactionClient } from '../database/open-database.js';
import { errors } from '../model/errors/errors.js';
import type { Resource } from '../model/resource.js';
import { delegate, type Load, type SelectedRecord } from '../query/delegate.js';
import { readMany } from '../query/read.js';
import { type ChangeContext, changeContextOf, type RequestContext, type WriteRequestContext } from './context.js';
import { forgetErrors } from './observation.js';

/** Creates the work of a write, again for each repetition after a conflict. */
export type WriteProcedure<Result> = (writing: ChangeContext) => Procedure<Result>;

export function runWrite<Result>(context: WriteRequestContext, mutation: WriteProcedure<Result>): Promise<Result> {
  const attempt = attemptsOf(context);
  return context.database.perform(() => mutation(attempt()));
}

/** Makes the context of each attempt: what an attempt that was undone has written does not count. */
function attemptsOf(context: WriteRequestContext): () => ChangeContext {
  const writing = changeContextOf(context);
  const { rows, characters } = writing.written;
  return () => {
    Object.assign(writing.written, { rows, characters });
    return writing;
  };
}

/** Runs a write and reads its answer in the same transaction. */
export function writeThen<Written, Result>(
  context: WriteRequestContext,
  mutation: WriteProcedure<Written>,
  read: (tx: TransactionClient, written: Written) => Promise<Result>,
): Promise<Result> {
  const attempt = attemptsOf(context);
  return context.database.transaction(async (tx) => read(tx, await runInTransaction(tx, mutation(attempt()))));
}

/** The written record, as selected. */
export function writeAndRead(
  context: WriteRequestContext,
  resource: Resource,
  mutation: WriteProcedure<{ id: string }>,
  selection: Load,
): Promise<SelectedRecord> {
  return writeThen(context, mutation, (tx, { id }) => readWritten(tx, resource, id, selection));
}

export async function readWritten(
  tx: TransactionClient,
  resource: Resource,
  id: string,
  selection: Load,
): Promise<SelectedRecord> {
  const row = await delegate(tx, resource).findUnique({ ...selection, where: { id } });
  if (!row) throw errors.notFound(resource.title, id);
  return row;
}

/** The written records, in the order of the ids that the write returns. */
export function writeAndReadMany(
  context: WriteRequestContext,
  resource: Resource,
  mutation: WriteProcedure<readonly string[]>,
  selection: Load,
): Promise<SelectedRecord[]> {
  return writeThen(context, mutation, (tx, ids) => readMany(tx, resource, ids, selection));
}

/**
 * A dry run: the write is executed and rolled back, without observers and without the journal. Errors are thrown as
 * usual.
 */
export async function dryRun<Result>(context: WriteRequestContext, mutation: WriteProcedure<Result>): Promise<Result> {
  const attempt = attemptsOf(context);
  try {
    return await context.database.perform<never>(function* () {
      const writing = attempt();
      const unobserved = {
        ...writing,
        handlers: { ...writing.handlers, observers: [], writers: [], journal: false },
      };
      throw new DryRunDone(yield* inTransaction(mutation(unobserved)));
    });
  } catch (error) {
    if (error instanceof DryRunDone) return error.result;
    throw error;
  }
}

/** Rolls back the transaction of a dry run. */
class DryRunDone<Result> extends Error {
  constructor(readonly result: Result) {
    super('The dry run is over');
  }
}

/**
 * Runs `work` in one transaction, again after a conflict. Each attempt gets a context of its own, as if there had been none
 * before: what an attempt that was undone has logged, reported and written is forgotten. @throws as `inOneTransaction`
 */
export async function inAttempts<Result>(
  context: RequestContext,
  work: (attempt: RequestContext, tx: TransactionClient) => Promise<Result>,
): Promise<Result> {
  let log = new HeldLog(context.log);
  try {
    return await inOneTransaction(context.database, (database, tx) => {
      forgetErrors(context.observation);
      log = new HeldLog(context.log);
      const { rows, characters } = context.written ?? { rows: 0, characters: 0 };
      return work({ ...context, database, log, written: { rows, characters } }, tx);
    });
  } finally {
    log.write();
  }
}
