import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQueryable,
  Transaction,
} from '@prisma/driver-adapter-utils';
import { withStatementHook } from '../work.js';
import type { DirectAccess } from './direct-access.js';

/** Receives an SQL statement and the values of its placeholders. */
export type OnStatement = (sql: string, values: readonly unknown[]) => void;

/**
 * Wraps an adapter so that `onStatement` receives every SQL statement before it runs: queries as they are sent; BEGIN,
 * COMMIT and ROLLBACK as the caller issues them. For metrics, and for tests that look at their plans.
 */
export function withStatementLog(factory: SqlDriverAdapterFactory, onStatement: OnStatement): SqlDriverAdapterFactory {
  const { provider, adapterName } = factory;
  return { provider, adapterName, connect: async () => loggedAdapter(await factory.connect(), onStatement) };
}

/** The same for direct reads and writes. */
export function withDirectAccessLog(
  { read, perform }: DirectAccess,
  onStatement: OnStatement,
): Pick<DirectAccess, 'read' | 'perform'> {
  return {
    read: (sql, values, reach, caller) => {
      onStatement(sql, values);
      return read(sql, values, reach, caller);
    },
    perform: (begin) => {
      // Units of work run in turns, on behalf of whoever has asked for them.
      const tell = AsyncLocalStorage.bind(onStatement);
      return perform(() => withStatementHook(begin(), ({ sql, values }) => tell(sql, values)));
    },
  };
}

function loggedAdapter(adapter: SqlDriverAdapter, onStatement: OnStatement): SqlDriverAdapter {
  return {
    ...loggedQueries(adapter, onStatement),
    executeScript: (script) => {
      onStatement(script, []);
      return adapter.executeScript(script);
    },
    startTransaction: async (isolationLevel) => {
      onStatement('BEGIN', []);
      return loggedTransaction(await adapter.startTransaction(isolationLevel), onStatement);
    },
    getConnectionInfo: () => adapter.getConnectionInfo?.() ?? { supportsRelationJoins: false },
    dispose: () => adapter.dispose(),
  };
}

function loggedTransaction(transaction: Transaction, onStatement: OnStatement): Transaction {
  // Without phantom queries, COMMIT and ROLLBACK are sent as statements, which are logged already.
  const tell = (sql: string) => transaction.options.usePhantomQuery && onStatement(sql, []);
  return {
    ...loggedQueries(transaction, onStatement),
    options: transaction.options,
    commit: () => {
      tell('COMMIT');
      return transaction.commit();
    },
    rollback: () => {
      tell('ROLLBACK');
      return transaction.rollback();
    },
    createSavepoint: transaction.createSavepoint?.bind(transaction),
    rollbackToSavepoint: transaction.rollbackToSavepoint?.bind(transaction),
    releaseSavepoint: transaction.releaseSavepoint?.bind(transaction),
  };
}

function loggedQueries(queryable: SqlQueryable, onStatement: OnStatement): SqlQueryable {
  return {
    provider: queryable.provider,
    adapterName: queryable.adapterName,
    queryRaw: (query) => {
      onStatement(query.sql, query.args);
      return queryable.queryRaw(query);
    },
    executeRaw: (query) => {
      onStatement(query.sql, query.args);
      return queryable.executeRaw(query);
    },
  };
}
