import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { isObject } from '../common/is-object.js';
import type { PrismaClient } from '../generated/sqlite/client.js';
import { loadBudget } from './answer-limit.js';
import { callers } from './direct-access.js';
import { closedError } from './sqlite/sqlite-errors.js';

/** Makes a Prisma client for an adapter. */
export type MakeClient = (adapter: SqlDriverAdapterFactory) => PrismaClient;

export interface LazyPrisma {
  client(): PrismaClient;
  /** Ends the client and the adapter; later calls are refused. */
  close(): Promise<void>;
}

/**
 * Connects an adapter at once, but makes its Prisma client at the first use: the client takes a tenth of the start and
 * some 20 MB of memory, and neither the start nor compiled operations need it.
 */
export async function connectPrisma(factory: SqlDriverAdapterFactory, make: MakeClient): Promise<LazyPrisma> {
  const { provider, adapterName } = factory;
  const adapter = await factory.connect();
  let isClosed = false;
  let client: PrismaClient | undefined;
  // A closed Prisma client reconnects at the next query; this one may not.
  const connect = async () => {
    if (isClosed) throw closedError();
    return withoutDispose(adapter);
  };
  return {
    client: () => {
      client ??= collectPerRequest(make({ provider, adapterName, connect }));
      return client;
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await client?.$disconnect();
      await adapter.dispose();
    },
  };
}

/** The adapter for a client that does not own it. */
const withoutDispose = (adapter: SqlDriverAdapter): SqlDriverAdapter => ({
  provider: adapter.provider,
  adapterName: adapter.adapterName,
  queryRaw: (query) => adapter.queryRaw(query),
  executeRaw: (query) => adapter.executeRaw(query),
  executeScript: (script) => adapter.executeScript(script),
  startTransaction: (isolationLevel) => adapter.startTransaction(isolationLevel),
  getConnectionInfo: () => adapter.getConnectionInfo?.() ?? { supportsRelationJoins: false },
  dispose: async () => undefined,
});

/**
 * Prisma collects the queries that are asked in one turn of the event loop, and sends them in the AsyncLocalStorage of
 * the one that was asked first, some of them merged into one statement. Requests that have waited for the same promise
 * ask in one turn. So that each query waits, ends and counts for its own request, each request has a collector of its own.
 */

/** What is used of the part of a Prisma client that collects queries. It is not public; a test holds that it works. */
interface Handler {
  dataloader: Collector;
}

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
  const collectors = new WeakMap<object, WeakMap<object, Collector>>();
  handler.dataloader = { options, request: (query) => own().request(query) };
  return client;

  /** That of the request whose time and whose load counts now. */
  function own(): Collector {
    const caller = callers.getStore() ?? nothing;
    const load = loadBudget() ?? nothing;
    const byLoad = collectors.get(caller) ?? new WeakMap<object, Collector>();
    collectors.set(caller, byLoad);
    const known = byLoad.get(load);
    if (known) return known;
    const made: Collector = Reflect.construct(shared.constructor, [options]);
    byLoad.set(load, made);
    return made;
  }
}

const isHandler = (value: unknown): value is Handler =>
  isObject(value) && 'dataloader' in value && isObject(value.dataloader) && 'options' in value.dataloader;
