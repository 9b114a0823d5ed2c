/** Runs a write in a transaction that also reads the answer, or in one that is rolled back. */

import { holdLog } from '../common/output.js';
import { inTransaction, type Procedure } from '../common/work.js';
import { inOneTransaction, runInTransaction } from '../database/inside-transaction.js';
import type { TransactionClient } from '../database/open-database.js';
import type { Resource } from '../model/resource.js';
import type { Load, SelectedRecord } from '../query/delegate.js';
import { readMany } from '../query/read.js';
import { limitOf } from '../query/table-views.js';
import type { ChangeContext, RequestContext, WriteRequestContext } from './context.js';
import { forgetErrors } from './observation.js';

/** Creates the work of a write, again for each repetition after a conflict. */
export type WriteProcedure<Result> = (writing: ChangeContext) => Procedure<Result>;

export function runWrite<Result>(context: WriteRequestContext, mutation: WriteProcedure<Result>): Promise<Result> {
  const attempt = attemptsOf(context);
  return context.database.perform(() => mutation(attempt()));
}

/** Makes the context of each attempt: what an attempt that was undone has written does not count. */
function attemptsOf({
  database: { provider, limit },
  changes: handlers,
  identity: { keyId, name: keyName, rights },
  requestId,
  operationName: operation,
  written = { rows: 0, characters: 0 },
}: WriteRequestContext): () => ChangeContext {
  const before = { ...written };
  const limits = rights && { rights, limit: limit ?? limitOf(rights, provider) };
  const writing = { provider, handlers, written, limits, by: { keyId, keyName, requestId, operation } };
  return () => {
    Object.assign(written, before);
    return writing;
  };
}

/** Runs a write, and reads the written records as they are selected in the same transaction, in the order of their ids. */
export function writeAndRead<Written extends { ids: readonly string[] }>(
  context: WriteRequestContext,
  resource: Resource,
  mutation: WriteProcedure<Written>,
  selection: Load,
): Promise<Written & { records: SelectedRecord[] }> {
  const attempt = attemptsOf(context);
  return context.database.transaction(async (tx) => {
    const written = await runInTransaction(tx, mutation(attempt()));
    return { ...written, records: await readMany(tx, resource, written.ids, selection) };
  });
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
  let log = holdLog(context.log);
  try {
    return await inOneTransaction(context.database, (database, tx) => {
      forgetErrors(context.observation);
      log = holdLog(context.log);
      const { rows, characters } = context.written ?? { rows: 0, characters: 0 };
      return work({ ...context, database, log, written: { rows, characters } }, tx);
    });
  } finally {
    log.write();
  }
}
