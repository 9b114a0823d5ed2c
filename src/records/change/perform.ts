/** Runs a write in a transaction that also reads the answer, or in one that is rolled back. */
import type { TransactionClient } from '../../database/open.js';
import { performIn } from '../../database/within.js';
import { errors } from '../../errors.js';
import type { Resource } from '../../model/resource.js';
import { inTransaction, type Work } from '../../work.js';
import { delegate, type Row, type Selection } from '../delegate.js';
import { readMany } from '../read.js';
import { type WriteContext, type Writing, writingOf } from './writing.js';

/** Creates the work of a write, again for each repetition after a conflict. */
export type Mutation<Result> = (writing: Writing) => Work<Result>;

export const perform = <Result>(context: WriteContext, mutation: Mutation<Result>): Promise<Result> =>
  context.database.perform(() => mutation(writingOf(context)));

/** Runs a write and reads its answer in the same transaction. */
export function performAnd<Written, Result>(
  context: WriteContext,
  mutation: Mutation<Written>,
  read: (tx: TransactionClient, written: Written) => Promise<Result>,
): Promise<Result> {
  return context.database.transaction(async (tx) => read(tx, await performIn(tx, mutation(writingOf(context)))));
}

/** The written record, as selected. */
export function performAndRead(
  context: WriteContext,
  resource: Resource,
  mutation: Mutation<{ id: string }>,
  selection: Selection,
): Promise<Row> {
  return performAnd(context, mutation, (tx, { id }) => readWritten(tx, resource, id, selection));
}

export async function readWritten(
  tx: TransactionClient,
  resource: Resource,
  id: string,
  selection: Selection,
): Promise<Row> {
  const row = await delegate(tx, resource).findUnique({ ...selection, where: { id } });
  if (!row) throw errors.notFound(resource.title, id);
  return row;
}

/** The written records, in the order of the ids that the write returns. */
export function performAndReadMany(
  context: WriteContext,
  resource: Resource,
  mutation: Mutation<readonly string[]>,
  selection: Selection,
): Promise<Row[]> {
  return performAnd(context, mutation, (tx, ids) => readMany(tx, resource, ids, selection));
}

/** A dry run: the write is executed and rolled back, and observers are not called. Errors are thrown as usual. */
export async function rehearse<Result>(context: WriteContext, mutation: Mutation<Result>): Promise<Result> {
  const writing = writingOf(context);
  const unobserved = { ...writing, handlers: { ...writing.handlers, observers: [] } };
  try {
    return await context.database.perform<never>(function* () {
      throw new Rehearsed(yield* inTransaction(mutation(unobserved)));
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.result;
    throw error;
  }
}

/** Rolls back the transaction of a dry run. */
class Rehearsed<Result> extends Error {
  constructor(readonly result: Result) {
    super('The rehearsal is over');
  }
}
