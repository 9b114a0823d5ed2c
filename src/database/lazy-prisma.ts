import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { PrismaClient } from '../generated/sqlite/client.js';
import { collectPerRequest } from './collect-per-request.js';
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
