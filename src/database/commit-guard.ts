import type { SqlDriverAdapter, SqlDriverAdapterFactory, Transaction } from '@prisma/driver-adapter-utils';

/**
 * The same PostgreSQL adapter, whose COMMIT means it. When a statement of a transaction has failed and the caller goes
 * on regardless, PostgreSQL answers COMMIT by rolling back, and Prisma takes that for success: what was acknowledged
 * would be lost. Here such a commit fails with PostgreSQL's own error (25P02).
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
  let doubtful = false;
  const watch = <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      doubtful = true;
      throw error;
    });
  return {
    provider: transaction.provider,
    adapterName: transaction.adapterName,
    options: transaction.options,
    queryRaw: (query) => watch(transaction.queryRaw(query)),
    executeRaw: async (query) => {
      if (doubtful && query.sql === 'COMMIT') await requireUsable(transaction);
      return watch(transaction.executeRaw(query));
    },
    commit: () => transaction.commit(),
    rollback: () => transaction.rollback(),
    createSavepoint: transaction.createSavepoint?.bind(transaction),
    rollbackToSavepoint: transaction.rollbackToSavepoint?.bind(transaction),
    releaseSavepoint: transaction.releaseSavepoint?.bind(transaction),
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
