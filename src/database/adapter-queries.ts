import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQuery, SqlResultSet } from '@prisma/driver-adapter-utils';

/** Sends a query that has a result. */
export type SendQuery = (query: SqlQuery) => Promise<SqlResultSet>;

/** Wraps how an adapter sends queries that have results, inside and outside transactions. */
export function withQueries(
  factory: SqlDriverAdapterFactory,
  wrap: (send: SendQuery) => SendQuery,
): SqlDriverAdapterFactory {
  const { provider, adapterName } = factory;
  return { provider, adapterName, connect: async () => wrapped(await factory.connect(), wrap) };
}

function wrapped(adapter: SqlDriverAdapter, wrap: (send: SendQuery) => SendQuery): SqlDriverAdapter {
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    queryRaw: wrap((query) => adapter.queryRaw(query)),
    executeRaw: (query) => adapter.executeRaw(query),
    executeScript: (script) => adapter.executeScript(script),
    startTransaction: async (isolationLevel) => {
      const transaction = await adapter.startTransaction(isolationLevel);
      return Object.assign(transaction, { queryRaw: wrap(transaction.queryRaw.bind(transaction)) });
    },
    getConnectionInfo: () => adapter.getConnectionInfo?.() ?? { supportsRelationJoins: false },
    dispose: () => adapter.dispose(),
  };
}
