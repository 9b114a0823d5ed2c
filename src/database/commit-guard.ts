import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQuery, Transaction } from '@prisma/driver-adapter-utils';
import { oneAtATime } from './one-at-a-time.js';

/**
 * The same PostgreSQL adapter, whose COMMIT means it. When a statement of a transaction has failed and the caller goes
 * on regardless, PostgreSQL answers COMMIT by rolling back, and Prisma takes that for success: what was acknowledged
 * would be lost. Here such a commit fails with PostgreSQL's own error (25P02).
 *
 * Prisma sends the lists of a nested read side by side, in a transaction too, whose one connection takes them one after
 * another: they wait here, so that a commit comes after the outcome of all that was sent before it.
 */
export function withCommitGuard(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  const { provider, adapterName } = factory;
  return { provider, adapterName, connect: async () => guardedAdapter(await factory.connect()) };
}

function guardedAdapter(adapter: SqlDriverAdapter): SqlDriverAdapter {
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    queryRaw: (query) => adapter.queryRaw(query),
    executeRaw: (query) => adapter.executeRaw(query),
    executeScript: (script) => adapter.executeScript(script),
    startTransaction: async (isolationLevel) => guardedTransaction(await adapter.startTransaction(isolationLevel)),
    getConnectionInfo: () => adapter.getConnectionInfo?.() ?? { supportsRelationJoins: false },
    dispose: () => adapter.dispose(),
  };
}

function guardedTransaction(transaction: Transaction): Transaction {
  const inTurn = oneAtATime();
  let doubtful = false;
  const send = <Result>(work: () => Promise<Result>, isLast = false): Promise<Result> =>
    inTurn(work, { last: isLast }).catch((error: unknown) => {
      doubtful = true;
      throw error;
    });
  const commit = async (query: SqlQuery) => {
    if (doubtful) await requireUsable(transaction);
    return transaction.executeRaw(query);
  };
  return {
    provider: transaction.provider,
    adapterName: transaction.adapterName,
    options: transaction.options,
    queryRaw: (query) => send(() => transaction.queryRaw(query)),
    executeRaw: (query) => {
      if (query.sql === 'COMMIT') return send(() => commit(query), true);
      return send(() => transaction.executeRaw(query), query.sql === 'ROLLBACK');
    },
    commit: () => transaction.commit(),
    rollback: () => transaction.rollback(),
    createSavepoint: async (name) => send(async () => transaction.createSavepoint?.(name)),
    rollbackToSavepoint: async (name) => send(async () => transaction.rollbackToSavepoint?.(name), true),
    releaseSavepoint: async (name) => send(async () => transaction.releaseSavepoint?.(name)),
  };
}

/** A transaction that takes a query takes a commit; one that does not is ended here, as Prisma no longer will. */
async function requireUsable(transaction: Transaction): Promise<void> {
  try {
    await transaction.queryRaw({ sql: 'SELECT 1', args: [], argTypes: [] });
  } catch (error) {
    await transaction.executeRaw({ sql: 'ROLLBACK', args: [], argTypes: [] }).catch(() => undefined);
    throw error;
  }
}
