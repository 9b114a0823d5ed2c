/**
 * How much of the database one request may have in memory. Prisma gives all rows of a query at once, as many queries as an
 * operation needs, and an answer is measured only when all of them are there.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQuery, SqlResultSet } from '@prisma/driver-adapter-utils';
import { answerLimitMark } from './answer-limit.js';

/** Bytes that may be loaded for an answer of at most so many: also columns that no answer shows, as of conditions. */
export const mostLoaded = (answerLimit: number): number => 2 * answerLimit + 8 * 1024 * 1024;

/** Of a database that is opened for nobody's answers. */
const presumedLimit = 32 * 1024 * 1024;

/** Counts what is loaded, and stops at the most. */
export class Load {
  #left: number;

  constructor(private readonly answerLimit = presumedLimit) {
    this.#left = mostLoaded(answerLimit);
  }

  /** So many bytes more. @throws where that is too much for the answer */
  add(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new Error(answerLimitMark(this.answerLimit));
  }
}

const loads = new AsyncLocalStorage<Load>();

/** Counts all that `work` loads. */
export const loadedWithin = <Result>(answerLimit: number, work: () => Result): Result =>
  loads.run(new Load(answerLimit), work);

const bytesOfRow = (row: readonly unknown[]): number => row.reduce<number>((sum, value) => sum + bytesOf(value), 0);

/** The bytes a value takes, about. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return value instanceof Uint8Array ? value.length : 8;
}

/** All the rows, unless they are more than `load` allows. */
export function loaded<Value>(rows: Iterable<Value[]>, load: Load): Value[][] {
  const all: Value[][] = [];
  for (const row of rows) {
    load.add(bytesOfRow(row));
    all.push(row);
  }
  return all;
}

/** The same adapter, whose queries are counted for the request that asks them. */
export function withLoadCount(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  const { provider, adapterName } = factory;
  return { provider, adapterName, connect: async () => countedAdapter(await factory.connect()) };
}

type Query = (query: SqlQuery) => Promise<SqlResultSet>;

const counted =
  (queryRaw: Query): Query =>
  async (query) => {
    const result = await queryRaw(query);
    const load = loads.getStore();
    if (load) for (const row of result.rows) load.add(bytesOfRow(row));
    return result;
  };

function countedAdapter(adapter: SqlDriverAdapter): SqlDriverAdapter {
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    queryRaw: counted((query) => adapter.queryRaw(query)),
    executeRaw: (query) => adapter.executeRaw(query),
    executeScript: (script) => adapter.executeScript(script),
    startTransaction: async (isolationLevel) => {
      const transaction = await adapter.startTransaction(isolationLevel);
      const queryRaw = transaction.queryRaw.bind(transaction);
      return Object.assign(transaction, { queryRaw: counted(queryRaw) });
    },
    getConnectionInfo: () => adapter.getConnectionInfo?.() ?? { supportsRelationJoins: false },
    dispose: () => adapter.dispose(),
  };
}
