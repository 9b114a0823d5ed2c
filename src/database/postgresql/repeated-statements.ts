/**
 * Repeats a statement that runs alone, outside of a transaction, when PostgreSQL has undone it because of another
 * transaction. A transaction is repeated as a whole, by the code that began it.
 */
import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { retry } from '../retry.js';

export function withRepeatedStatements({
  provider,
  adapterName,
  connect,
}: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  return { provider, adapterName, connect: async () => repeating(await connect()) };
}

const repeating = (adapter: SqlDriverAdapter): SqlDriverAdapter => ({
  provider: adapter.provider,
  adapterName: adapter.adapterName,
  queryRaw: (query) => retry(() => adapter.queryRaw(query)),
  executeRaw: (query) => retry(() => adapter.executeRaw(query)),
  executeScript: (script) => adapter.executeScript(script),
  startTransaction: (level) => adapter.startTransaction(level),
  getConnectionInfo: () => adapter.getConnectionInfo?.() ?? { supportsRelationJoins: false },
  dispose: () => adapter.dispose(),
});
