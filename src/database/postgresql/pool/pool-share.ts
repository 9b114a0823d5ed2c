import type { SqlDriverAdapter, SqlDriverAdapterFactory, Transaction } from '@prisma/driver-adapter-utils';
import type { Value } from '../../../common/work.js';
import { isReported } from '../../commit-outcome.js';
import { type Caller, callers, inNameOf, type Read, type Rows } from '../../direct-access.js';
import { FairQueue } from '../../queues/fair-queue.js';
import { isWorthRepeating } from '../../retry.js';
import { overError } from '../over-error.js';
import { createLargeResultQueue } from './large-results.js';

/** A request may use one in this many connections for reads (at least one), and one for a transaction. */
export const poolPerRequest = 5;
/** The requests of a key may use one in this many connections for large results, and for statements not yet seen. */
export const poolPerLarge = 5;
export const poolPerUnknown = 2;
/** One in this many connections is kept for pipelined reads. */
export const poolPerPipeline = 5;

/** Sends a read whose result will probably have `size` bytes; undefined if it has to take a connection of its own. */
export type PipelinedRead = (
  sql: string,
  values: readonly Value[],
  size: number,
  comment: string | undefined,
) => Promise<Rows> | undefined;

/**
 * Gives each request a share of the pool of `connections`, so that a request with many reads leaves connections to
 * others; its further reads wait for its own. A transaction has its own share, because work inside it may wait for a
 * read outside it. Large results have a share of their own, so that many of them leave connections to small ones.
 */
export function createPoolShare(connections: number) {
  const oneIn = (count: number) => Math.max(1, Math.floor(connections / count));
  const share = oneIn(poolPerRequest);
  const turns = (perCaller: number) =>
    new FairQueue(
      {
        atOnce: Number.POSITIVE_INFINITY,
        perCaller,
        waiting: Number.POSITIVE_INFINITY,
        waitMillis: Number.POSITIVE_INFINITY,
      },
      { busy: overError, over: overError },
    );
  const reads = turns(share);
  const transactions = turns(1);
  const { inQueue, smallSize, noteResult } = createLargeResultQueue({
    large: oneIn(poolPerLarge),
    unknown: oneIn(poolPerUnknown),
  });
  const inShare = <Result>(caller: Caller | undefined, run: () => Promise<Result>): Promise<Result> =>
    caller ? reads.take(caller, () => ({ done: run() })) : run();

  return {
    /** Bounded reads with small results are pipelined; a request has only a few of them under way at a time. */
    read: (read: Read, pipelined: PipelinedRead): Read => {
      return (sql, values, reach, caller, comment) => {
        const run = async () => read(sql, values, reach, caller, comment);
        const alone = () => inShare(caller, () => inQueue(sql, caller, run, (rows) => rows));
        const size = reach === 'bounded' ? smallSize(sql) : undefined;
        const sent = size === undefined ? undefined : pipelined(sql, values, size, comment);
        if (sent) {
          return sent.then(
            (rows) => {
              noteResult(sql, rows);
              return rows;
            },
            // The connection was lost, perhaps by another read on it, or is silent, because a read before this one waits for
            // a lock, or another transaction was in the way: the read is sent again on a connection of its own.
            (error: unknown) => {
              if (!connectionFault(error) && !isWorthRepeating(error)) throw error;
              return alone();
            },
          );
        }
        return alone();
      };
    },

    adapter: ({ provider, adapterName, connect }: SqlDriverAdapterFactory): SqlDriverAdapterFactory => ({
      provider,
      adapterName,
      connect: async () => shared(await connect()),
    }),
  };

  function shared(adapter: SqlDriverAdapter): SqlDriverAdapter {
    return {
      provider: adapter.provider,
      adapterName: adapter.adapterName,
      queryRaw: (query) => {
        const caller = callers.getStore();
        const run = () => inNameOf(caller, () => adapter.queryRaw(query));
        return inShare(caller, () => inQueue(query.sql, caller, run, ({ rows }) => rows));
      },
      executeRaw: (query) => {
        const caller = callers.getStore();
        return inShare(caller, () => inNameOf(caller, () => adapter.executeRaw(query)));
      },
      executeScript: (script) => adapter.executeScript(script),
      startTransaction: (level) => {
        const caller = callers.getStore();
        const start = () => inNameOf(caller, () => adapter.startTransaction(level));
        return caller ? transactionInTurn(transactions, caller, start) : start();
      },
      getConnectionInfo: () => adapter.getConnectionInfo?.() ?? { supportsRelationJoins: false },
      dispose: () => adapter.dispose(),
    };
  }
}

/** Starts a transaction that occupies its caller's turn until it ends. */
function transactionInTurn(turns: FairQueue, caller: Caller, start: () => Promise<Transaction>): Promise<Transaction> {
  return new Promise<Transaction>((resolve, reject) => {
    const begin = async () => {
      const transaction = await start();
      await new Promise<void>((end) => resolve(endingWith(transaction, end)));
    };
    turns.take(caller, () => ({ done: begin() })).catch(reject);
  });
}

function endingWith(transaction: Transaction, end: () => void): Transaction {
  return {
    provider: transaction.provider,
    adapterName: transaction.adapterName,
    options: transaction.options,
    queryRaw: (query) => transaction.queryRaw(query),
    executeRaw: (query) => transaction.executeRaw(query),
    commit: () => transaction.commit().finally(end),
    rollback: () => transaction.rollback().finally(end),
    createSavepoint: transaction.createSavepoint?.bind(transaction),
    rollbackToSavepoint: transaction.rollbackToSavepoint?.bind(transaction),
    releaseSavepoint: transaction.releaseSavepoint?.bind(transaction),
  };
}

/**
 * Whether a statement with this code can only fail again on its connection: its prepared form no longer fits the tables, or is gone.
 */
export const isOutdated = (code: unknown): boolean => code === '0A000' || code === '26000';

/** The error with which the pool closes the connection of a statement; undefined if the connection can go on. */
export function connectionFault(error: unknown): Error | undefined {
  const fault = error instanceof Error ? error : new Error(String(error));
  const isFatal = 'severity' in fault && fault.severity === 'FATAL';
  const isUseless = 'code' in fault && isOutdated(fault.code);
  // Otherwise the connection is lost, or the answer to the statement may still come.
  return isReported(error) && !isFatal && !isUseless ? undefined : fault;
}
