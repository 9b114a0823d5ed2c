import { AsyncLocalStorage } from 'node:async_hooks';
import type { SqlDriverAdapter, SqlQuery, SqlQueryable, Transaction } from '@prisma/driver-adapter-utils';
import { type MaybePromise, recoverWith, whenResolved } from '../common/maybe-promise.js';
import { altered, type Statement } from '../common/work.js';
import type { DirectAccess } from './direct-access.js';
import { adapterLike, transactionLike } from './prisma-adapter.js';

/**
 * Receives an SQL statement and the values of its placeholders; what it returns, if anything, is called when the statement
 * has run.
 */
export type WatchStatement = (sql: string, values: readonly unknown[]) => WatchedStatement | undefined;

export interface WatchedStatement {
  /** A comment in SQL to send with the statement, on PostgreSQL; or ''. */
  comment: string;
  /** Called once, with the error if it has failed. */
  end(error?: unknown): void;
}

export const watchBoth =
  (one: WatchStatement, other: WatchStatement): WatchStatement =>
  (sql, values) => {
    const [first, second] = [one(sql, values), other(sql, values)];
    if (!first || !second) return first ?? second;
    const end: WatchedStatement['end'] = (error) => {
      first.end(error);
      second.end(error);
    };
    return { comment: first.comment + second.comment, end };
  };

/**
 * Wraps an adapter so that `watch` receives every SQL statement before it runs: queries as they are sent; BEGIN,
 * COMMIT and ROLLBACK as the caller issues them. For metrics, traces, and for tests that look at their plans.
 */
export function withStatementLog(adapter: SqlDriverAdapter, watch: WatchStatement): SqlDriverAdapter {
  return adapterLike(adapter, {
    ...loggedQueries(adapter, watch),
    startTransaction: async (isolationLevel) => {
      const start = () => adapter.startTransaction(isolationLevel);
      return loggedTransaction(await untilEnd(watch('BEGIN', []), start), watch);
    },
  });
}

function loggedTransaction(transaction: Transaction, watch: WatchStatement): Transaction {
  // Without phantom queries, COMMIT and ROLLBACK are sent as statements, which are logged already.
  const ended = async (sql: string, run: () => Promise<void>) =>
    untilEnd(transaction.options.usePhantomQuery ? watch(sql, []) : undefined, run);
  return transactionLike(transaction, {
    ...loggedQueries(transaction, watch),
    commit: () => ended('COMMIT', () => transaction.commit()),
    rollback: () => ended('ROLLBACK', () => transaction.rollback()),
  });
}

function loggedQueries(queryable: SqlQueryable, watch: WatchStatement): Pick<SqlQueryable, 'queryRaw' | 'executeRaw'> {
  const watched = async <Result>(query: SqlQuery, run: (query: SqlQuery) => Promise<Result>) => {
    const statement = watch(query.sql, query.args);
    const { comment = '' } = statement ?? {};
    return untilEnd(statement, () => run(comment ? Object.assign({ comment }, query) : query));
  };
  return {
    queryRaw: (query) => watched(query, (given) => queryable.queryRaw(given)),
    executeRaw: (query) => watched(query, (given) => queryable.executeRaw(given)),
  };
}

/** The same for direct reads and writes. */
export function withDirectAccessLog(
  { read, perform }: DirectAccess,
  watch: WatchStatement,
): Pick<DirectAccess, 'read' | 'perform'> {
  return {
    read: (sql, values, reach, caller) => {
      const watched = watch(sql, values);
      return untilEnd(watched, () => read(sql, values, reach, caller, watched?.comment));
    },
    perform: (begin, caller) => {
      // A unit of work may run in the turn of another request. Its statements belong to the request that asked for it.
      const watchBound = AsyncLocalStorage.bind(watch);
      let open: WatchedStatement | undefined;
      const end = (error?: unknown) => {
        open?.end(error);
        open = undefined;
      };
      const watched = (statement: Statement) => {
        open = watchBound(statement.sql, statement.values);
        return open?.comment ? { ...statement, comment: open.comment } : statement;
      };
      return perform(() => {
        end();
        return altered(begin(), watched, end);
        // If a statement fails, the unit of work does not go on, so nothing else ends the open statement.
      }, caller).catch((error: unknown) => {
        end(error);
        throw error;
      });
    },
  };
}

/** Runs `run`, and calls `watched.end` when it has ended. */
function untilEnd<Result>(
  watched: WatchedStatement | undefined,
  run: () => MaybePromise<Result>,
): MaybePromise<Result> {
  if (!watched) return run();
  return recoverWith(
    () =>
      whenResolved(run(), (result) => {
        watched.end();
        return result;
      }),
    (error) => {
      watched.end(error);
      throw error;
    },
  );
}
