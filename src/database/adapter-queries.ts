import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQuery, SqlResultSet } from '@prisma/driver-adapter-utils';

/** Sends a query that has a result. */
export type SendQuery = (query: SqlQuery) => Promise<SqlResultSet>;

/** Called once for a connection, and once for each transaction. */
type Wrap = (send: SendQuery) => SendQuery;

/** Wraps how an adapter sends queries that have results: outside transactions by `wrap`, inside by `wrapInside`. */
export function withQueries(
  factory: SqlDriverAdapterFactory,
  wrap: Wrap,
  wrapInside: Wrap = wrap,
): SqlDriverAdapterFactory {
  const { provider, adapterName } = factory;
  return { provider, adapterName, connect: async () => wrapped(await factory.connect(), wrap, wrapInside) };
}

function wrapped(adapter: SqlDriverAdapter, wrap: Wrap, wrapInside: Wrap): SqlDriverAdapter {
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    queryRaw: wrap((query) => adapter.queryRaw(query)),
    executeRaw: (query) => adapter.executeRaw(query),
    executeScript: (script) => adapter.executeScript(script),
    startTransaction: async (isolationLevel) => {
      const transaction = await adapter.startTransaction(isolationLevel);
      return Object.assign(transaction, { queryRaw: wrapInside(transaction.queryRaw.bind(transaction)) });
    },
    getConnectionInfo: () => adapter.getConnectionInfo?.() ?? { supportsRelationJoins: false },
    dispose: () => adapter.dispose(),
  };
}
