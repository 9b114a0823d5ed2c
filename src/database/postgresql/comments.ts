import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils';

/**
 * A query with a comment. The comment is kept apart from the text, because repeated queries are recognised by their
 * text.
 */
interface CommentedQuery extends SqlQuery {
  comment?: string;
}

/** Sends the comments of queries with them. */
export function withComments(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  const { provider, adapterName } = factory;
  return { provider, adapterName, connect: async () => commentedAdapter(await factory.connect()) };
}

function commentedAdapter(adapter: SqlDriverAdapter): SqlDriverAdapter {
  return {
    ...commentedQueries(adapter),
    executeScript: (script) => adapter.executeScript(script),
    startTransaction: async (isolationLevel) => {
      const transaction = await adapter.startTransaction(isolationLevel);
      return {
        ...commentedQueries(transaction),
        options: transaction.options,
        commit: () => transaction.commit(),
        rollback: () => transaction.rollback(),
        createSavepoint: transaction.createSavepoint?.bind(transaction),
        rollbackToSavepoint: transaction.rollbackToSavepoint?.bind(transaction),
        releaseSavepoint: transaction.releaseSavepoint?.bind(transaction),
      };
    },
    getConnectionInfo: () => adapter.getConnectionInfo?.() ?? { supportsRelationJoins: false },
    dispose: () => adapter.dispose(),
  };
}

const commentedQueries = (queryable: SqlQueryable): SqlQueryable => ({
  provider: queryable.provider,
  adapterName: queryable.adapterName,
  queryRaw: (query) => queryable.queryRaw(withComment(query)),
  executeRaw: (query) => queryable.executeRaw(withComment(query)),
});

function withComment(query: CommentedQuery): SqlQuery {
  return query.comment ? { ...query, sql: query.sql + query.comment } : query;
}
