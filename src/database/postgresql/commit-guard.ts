import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQuery, Transaction } from '@prisma/driver-adapter-utils';
import { isReported, outcomeOf } from '../commit-outcome.js';
import { isUndoneByOthers } from '../database-problem.js';
import { createSerialQueue } from '../queues/serial-queue.js';

/**
 * Wraps the PostgreSQL adapter so that a COMMIT that rolls back is reported as an error. When a statement of a
 * transaction has failed and the caller goes on regardless, PostgreSQL answers COMMIT by rolling back, which Prisma
 * takes for success: an acknowledged change would be lost. Here such a commit fails with PostgreSQL's own error
 * (25P02), or with the conflict with another transaction that came before it, so that the whole is repeated.
 *
 * Prisma sends the queries of a nested read in parallel, also in a transaction, whose single connection executes them
 * one after another. They are queued here, so that a commit waits for the outcome of every statement before it.
 */
export function withCommitGuard(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  const { provider, adapterName } = factory;
  return { provider, adapterName, connect: async () => guardedAdapter(await factory.connect()) };
}

function guardedAdapter(adapter: SqlDriverAdapter): SqlDriverAdapter {
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    queryRaw: (query) => {
      const sent = adapter.queryRaw(query);
      return reads.test(query.sql) ? sent : outcomeOf(sent);
    },
    executeRaw: (query) => outcomeOf(adapter.executeRaw(query)),
    executeScript: (script) => adapter.executeScript(script),
    startTransaction: async (isolationLevel) => guardedTransaction(await adapter.startTransaction(isolationLevel)),
    getConnectionInfo: () => adapter.getConnectionInfo?.() ?? { supportsRelationJoins: false },
    dispose: () => adapter.dispose(),
  };
}

/** A statement that cannot change anything. Outside a transaction, every other statement commits by itself. */
const reads = /^\s*SELECT\b/i;

function guardedTransaction(transaction: Transaction): Transaction {
  const inTurn = createSerialQueue();
  let doubtful = false;
  let isLost = false;
  let conflict: unknown;
  const send = <Result>(work: () => Promise<Result>, isLast = false): Promise<Result> =>
    inTurn(work, { last: isLast }).catch((error: unknown) => {
      doubtful = true;
      isLost ||= !isReported(error);
      if (isUndoneByOthers(error)) conflict ??= error;
      throw error;
    });
  const commit = async (query: SqlQuery) => {
    if (doubtful) await requireUsable(transaction, conflict);
    return outcomeOf(transaction.executeRaw(query));
  };
  // There is no wait for a connection that gives no answer: the pool closes it with its transaction.
  const rollback = async (query: SqlQuery) => (isLost ? 0 : transaction.executeRaw(query));
  return {
    provider: transaction.provider,
    adapterName: transaction.adapterName,
    options: transaction.options,
    queryRaw: (query) => send(() => transaction.queryRaw(query)),
    executeRaw: (query) => {
      if (query.sql === 'COMMIT') return send(() => commit(query), true);
      if (query.sql === 'ROLLBACK') return send(() => rollback(query), true);
      return send(() => transaction.executeRaw(query));
    },
    commit: () => transaction.commit(),
    rollback: () => transaction.rollback(),
    createSavepoint: async (name) => send(async () => transaction.createSavepoint?.(name)),
    rollbackToSavepoint: async (name) => send(async () => transaction.rollbackToSavepoint?.(name), true),
    releaseSavepoint: async (name) => send(async () => transaction.releaseSavepoint?.(name)),
  };
}

/**
 * Checks that the transaction still accepts statements; one that does not is rolled back here, because Prisma will not
 * do it. @throws `reason`, or PostgreSQL's error
 */
async function requireUsable(transaction: Transaction, reason: unknown): Promise<void> {
  try {
    await transaction.queryRaw({ sql: 'SELECT 1', args: [], argTypes: [] });
  } catch (error) {
    await transaction.executeRaw({ sql: 'ROLLBACK', args: [], argTypes: [] }).catch(() => undefined);
    throw reason ?? error;
  }
}
