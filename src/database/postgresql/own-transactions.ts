/**
 * Behind a pooler each statement runs in a transaction with the settings of the session, which the pooler would not keep.
 */
import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQuery, Transaction } from '@prisma/driver-adapter-utils';
import type pg from 'pg';
import type { SessionSettings } from './session-settings.js';

/**
 * Runs one statement in a transaction of its own that begins with `begin`. Everything is sent at once, in one round
 * trip, so the client must support pipelines. A COMMIT after a statement that failed rolls back.
 */
export async function runAlone(
  client: pg.ClientBase,
  begin: string,
  query: pg.QueryArrayConfig,
): Promise<pg.QueryArrayResult> {
  const sent = [client.query(begin), client.query<unknown[]>(query), client.query('COMMIT')] as const;
  const [begun, answered, committed] = await Promise.allSettled(sent);
  if (begun.status === 'rejected') throw begun.reason;
  if (answered.status === 'rejected') throw answered.reason;
  if (committed.status === 'rejected') throw committed.reason;
  return answered.value;
}

type Settings = Pick<SessionSettings, 'forTransaction' | 'isolation'>;

/** The same for Prisma's statements outside of transactions, and `settings` at the beginning of its transactions. */
export function withOwnTransactions(factory: SqlDriverAdapterFactory, settings: Settings): SqlDriverAdapterFactory {
  const { provider, adapterName } = factory;
  return { provider, adapterName, connect: async () => inTransactions(await factory.connect(), settings) };
}

function inTransactions(adapter: SqlDriverAdapter, { forTransaction, isolation }: Settings): SqlDriverAdapter {
  const begin: SqlDriverAdapter['startTransaction'] = async (isolationLevel = isolation) => {
    const transaction = await adapter.startTransaction(isolationLevel);
    try {
      await transaction.queryRaw(statement(forTransaction));
      return transaction;
    } catch (error) {
      await undo(transaction);
      throw error;
    }
  };
  const alone = async <Result>(run: (transaction: Transaction) => Promise<Result>): Promise<Result> => {
    const transaction = await begin();
    try {
      const result = await run(transaction);
      await transaction.executeRaw(statement('COMMIT'));
      await transaction.commit();
      return result;
    } catch (error) {
      await undo(transaction);
      throw error;
    }
  };
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    queryRaw: (query) => alone((transaction) => transaction.queryRaw(query)),
    executeRaw: (query) => alone((transaction) => transaction.executeRaw(query)),
    executeScript: (script) => adapter.executeScript(script),
    startTransaction: begin,
    getConnectionInfo: () => adapter.getConnectionInfo?.() ?? { supportsRelationJoins: false },
    dispose: () => adapter.dispose(),
  };
}

/** Gives the connection back; the pool closes one whose transaction is still open. */
async function undo(transaction: Transaction): Promise<void> {
  await transaction.executeRaw(statement('ROLLBACK')).catch(() => undefined);
  await transaction.rollback();
}

const statement = (sql: string): SqlQuery => ({ sql, args: [], argTypes: [] });
