/** Prisma's way to a database: its client, made late, on an adapter that serves each request for itself. */
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type {
  ArgType,
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQueryable,
  Transaction,
} from '@prisma/driver-adapter-utils';
import { isObject } from '../common/is-object.js';
import { oncePer } from '../common/kept.js';
import type { PrismaClient } from '../generated/sqlite/client.js';
import { bytesOfRow, loadBudget } from './answer-limit.js';
import { callers, withFurther } from './direct-access.js';
import { createSerialQueue, type RunInTurn } from './queues.js';
import { closedError } from './sqlite/sqlite-errors.js';

/** An adapter that does what `adapter` does, but for `others`. */
export const adapterLike = (adapter: SqlDriverAdapter, others: Partial<SqlDriverAdapter>): SqlDriverAdapter => ({
  provider: adapter.provider,
  adapterName: adapter.adapterName,
  queryRaw: (query) => adapter.queryRaw(query),
  executeRaw: (query) => adapter.executeRaw(query),
  executeScript: (script) => adapter.executeScript(script),
  startTransaction: (isolationLevel) => adapter.startTransaction(isolationLevel),
  getConnectionInfo: () => adapter.getConnectionInfo?.() ?? { supportsRelationJoins: false },
  dispose: () => adapter.dispose(),
  ...others,
});

/** A transaction that does what `transaction` does, but for `others`. */
export const transactionLike = (transaction: Transaction, others: Partial<Transaction>): Transaction => ({
  provider: transaction.provider,
  adapterName: transaction.adapterName,
  options: transaction.options,
  queryRaw: (query) => transaction.queryRaw(query),
  executeRaw: (query) => transaction.executeRaw(query),
  commit: () => transaction.commit(),
  rollback: () => transaction.rollback(),
  createSavepoint: transaction.createSavepoint?.bind(transaction),
  rollbackToSavepoint: transaction.rollbackToSavepoint?.bind(transaction),
  releaseSavepoint: transaction.releaseSavepoint?.bind(transaction),
  ...others,
});

/** An adapter whose queries, outside of transactions and inside, are sent by what `queries` makes of it. */
export const withQueries = (
  adapter: SqlDriverAdapter,
  queries: (queryable: SqlQueryable) => Partial<Pick<SqlQueryable, 'queryRaw' | 'executeRaw'>>,
): SqlDriverAdapter =>
  adapterLike(adapter, {
    ...queries(adapter),
    startTransaction: async (isolationLevel) => {
      const transaction = await adapter.startTransaction(isolationLevel);
      return transactionLike(transaction, queries(transaction));
    },
  });

/**
 * Makes the Prisma client of an adapter at its first use: the client takes a tenth of the start and some 20 MB of memory,
 * and neither the start nor compiled operations need it.
 */
export function lazyPrisma(adapter: SqlDriverAdapter, make: (factory: SqlDriverAdapterFactory) => PrismaClient) {
  const { provider, adapterName } = adapter;
  let isClosed = false;
  let client: PrismaClient | undefined;
  // A closed Prisma client reconnects at the next query; this one may not. It does not own the adapter.
  const connect = async () => {
    if (isClosed) throw closedError();
    return adapterLike(adapter, { dispose: async () => undefined });
  };
  return {
    client: (): PrismaClient => {
      client ??= collectPerRequest(make({ provider, adapterName, connect }));
      return client;
    },
    /** Ends the client; later calls are refused. The adapter stays open. */
    close: async () => {
      isClosed = true;
      await client?.$disconnect();
    },
  };
}

/**
 * Limits what Prisma reads to what the caller may see, in whose name it reads. Prisma names each table with its schema; the
 * views of the caller have no schema.
 */
export function withLimits(adapter: SqlDriverAdapter): SqlDriverAdapter {
  const { schemaName = 'public' } = adapter.getConnectionInfo?.() ?? {};
  const schema = adapter.provider === 'sqlite' ? '`main`.' : `"${schemaName}".`;
  return withQueries(adapter, (queryable) => ({
    queryRaw: (query) => {
      const limited = callers.getStore()?.limit?.(query.sql.replaceAll(schema, ''), query.args.length);
      if (!limited) return queryable.queryRaw(query);
      const { sql, values, areFirst } = limited;
      const types = values.map(
        (value): ArgType => ({ scalarType: typeof value === 'string' ? 'string' : 'float', arity: 'scalar' }),
      );
      const args = withFurther(query.args, limited);
      const argTypes = areFirst ? [...types, ...query.argTypes] : [...query.argTypes, ...types];
      return queryable.queryRaw({ sql, args, argTypes });
    },
  }));
}

const large = 500;

/**
 * Turns before each large result. A short request needs as many: one to be received, one for the answer of PostgreSQL,
 * and one to be answered.
 */
const turnsBetween = 3;

/**
 * Counts what Prisma loads towards the limit of the request that asks, and gives it large results one by one, with turns
 * of the event loop between them: Prisma makes objects of all rows of a result in one piece, about 50 ms for 20,000 rows,
 * and several that arrive together would hold up everybody for all that time. Those of a transaction wait for each other
 * only: it holds locks meanwhile, on SQLite that of the only writer.
 */
export function withResultTurns(adapter: SqlDriverAdapter): SqlDriverAdapter {
  return withQueries(adapter, (queryable) => {
    const inTurn: RunInTurn = createSerialQueue();
    return {
      queryRaw: async (query) => {
        const result = await queryable.queryRaw(query);
        const load = loadBudget();
        if (load) for (const row of result.rows) load.add(bytesOfRow(row));
        if (result.rows.length < large) return result;
        await inTurn(async () => {
          for (let turn = 0; turn < turnsBetween; turn++) await turnOfLoop();
        });
        return result;
      },
    };
  });
}

// Prisma collects the queries that are asked in one turn of the event loop, and sends them in the AsyncLocalStorage of
// the one that was asked first, some of them merged into one statement. Requests that have waited for the same promise
// ask in one turn. So that each query waits, ends and counts for its own request, each request has a collector of its own.

/** What is used of the part of a Prisma client that collects queries. It is not public; a test holds that it works. */
interface Collector {
  request(query: unknown): Promise<unknown>;
  options: unknown;
}

/** Changes the client, which is not yet in use, and returns it. */
function collectPerRequest<Client extends object>(client: Client): Client {
  const handler: unknown = Reflect.get(client, '_requestHandler');
  if (!isHandler(handler)) throw new Error('This version of Prisma collects queries in another way');
  const { dataloader: shared } = handler;
  const { options } = shared;
  const nothing = {};
  const own = oncePer((_request: object): Collector => Reflect.construct(shared.constructor, [options]));
  // What is loaded for an answer counts for that alone; what a request reads besides has its time.
  const request = (query: unknown) => own(loadBudget() ?? callers.getStore() ?? nothing).request(query);
  handler.dataloader = { options, request };
  return client;
}

const isHandler = (value: unknown): value is { dataloader: Collector } =>
  isObject(value) && 'dataloader' in value && isObject(value.dataloader) && 'options' in value.dataloader;
