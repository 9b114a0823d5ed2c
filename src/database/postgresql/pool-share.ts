import {
  DriverAdapterError,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
  type Transaction,
} from '@prisma/driver-adapter-utils';
import { type Caller, callers } from '../caller.js';
import type { Read } from '../direct-access.js';
import { Turns } from '../sqlite/fair-queue.js';

/** A request may use one in this many connections for reads (at least one), and one for a transaction. */
export const poolPerRequest = 5;

/**
 * Gives each request a share of the pool of `connections`, so that a request with many reads leaves connections to
 * others; its further reads wait for its own. A transaction has its own share, because work inside it may wait for a
 * read outside it.
 */
export function createPoolShare(connections: number) {
  const share = Math.max(1, Math.floor(connections / poolPerRequest));
  const turns = (perCaller: number) =>
    new Turns(
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
  const inShare = <Result>(caller: Caller | undefined, run: () => Promise<Result>): Promise<Result> =>
    caller ? reads.take(caller, () => ({ done: run() })) : run();

  return {
    read: (read: Read): Read => {
      return (sql, values, reach, caller) => inShare(caller, async () => read(sql, values, reach, caller));
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
      queryRaw: (query) => inShare(callers.getStore(), () => adapter.queryRaw(query)),
      executeRaw: (query) => inShare(callers.getStore(), () => adapter.executeRaw(query)),
      executeScript: (script) => adapter.executeScript(script),
      startTransaction: (level) => {
        const caller = callers.getStore();
        const start = () => adapter.startTransaction(level);
        return caller ? transactionInTurn(transactions, caller, start) : start();
      },
      getConnectionInfo: () => adapter.getConnectionInfo?.() ?? { supportsRelationJoins: false },
      dispose: () => adapter.dispose(),
    };
  }
}

/** Starts a transaction that occupies its caller's turn until it ends. */
function transactionInTurn(turns: Turns, caller: Caller, start: () => Promise<Transaction>): Promise<Transaction> {
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

/** The error of PostgreSQL for a cancelled statement. */
function overError(): DriverAdapterError {
  const message = 'The time of the request was over before the statement began';
  return new DriverAdapterError({
    originalCode: '57014',
    originalMessage: message,
    kind: 'postgres',
    code: '57014',
    severity: 'ERROR',
    message,
    detail: undefined,
    column: undefined,
    hint: undefined,
  });
}
