import type { SqlDriverAdapter, SqlQuery, Transaction } from '@prisma/driver-adapter-utils';
import type pg from 'pg';
import { drive, type Procedure, type Rows, type Statement } from '../../common/work.js';
import { isReported, isUndoneByOthers, outcomeOf } from '../database-problem.js';
import { adapterLike, transactionLike } from '../prisma-adapter.js';
import { createSerialQueue } from '../queues.js';
import { connectionFault } from './pool-share.js';
import { type PostgresqlServer, preparedQuery } from './primary-pool.js';
import type { SessionSettings } from './session-settings.js';

/**
 * Runs a unit of work on PostgreSQL and resolves with its result. It takes a connection from the pool for its first
 * statement. A statement marked `isWhole` or `isChecked` runs without a transaction; any other statement begins one.
 */
export async function runProcedure<Result>(
  pool: pg.Pool,
  server: PostgresqlServer,
  work: Procedure<Result>,
): Promise<Result> {
  let session: Session | undefined;
  try {
    const result = await drive(work, async (statement) => {
      session ??= new Session(await pool.connect(), server);
      return session.run(statement);
    });
    await session?.commit();
    return result;
  } catch (error) {
    await session?.rollback();
    throw error;
  } finally {
    session?.release();
  }
}

/** One connection for one unit of work. */
class Session {
  /** Whether a transaction is open. */
  #isBegun = false;
  /** Why the connection cannot be used any more. */
  #fault: Error | undefined;

  constructor(
    private readonly connection: pg.PoolClient,
    private readonly server: PostgresqlServer,
  ) {}

  async run({ sql, values, comment, isWhole, isChecked, beforeSend }: Statement): Promise<Rows> {
    const { server, connection } = this;
    const query = preparedQuery(server.names, sql, values, comment);
    if (isWhole && !this.#isBegun) {
      beforeSend?.();
      return (await outcomeOf(this.#sent(runAlone(connection, server, query)))).rows;
    }
    // Where even a single statement needs a transaction, a read begins the transaction of the whole unit.
    if (!this.#isBegun && (!isChecked || server.isPooled)) {
      await this.#sent(connection.query(server.begin));
      this.#isBegun = true;
    }
    return (await this.#sent(connection.query<unknown[]>(query))).rows;
  }

  /** Commits. If the transaction has failed, PostgreSQL answers COMMIT with ROLLBACK instead of an error. */
  async commit(): Promise<void> {
    if (!this.#isBegun) return;
    const { command } = await outcomeOf(this.#sent(this.connection.query('COMMIT')));
    this.#isBegun = false;
    if (command !== 'COMMIT') throw new Error(`COMMIT was answered with ${command}`);
  }

  /** Does not wait for a connection that no longer answers: the server rolls back when it is closed. */
  async rollback(): Promise<void> {
    if (this.#isBegun && !this.#fault) await this.#sent(this.connection.query('ROLLBACK')).catch(() => undefined);
  }

  /** Gives the connection back to the pool, which closes it if it cannot be used any more. */
  release(): void {
    this.connection.release(this.#fault);
  }

  async #sent<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      this.#fault = connectionFault(error);
      throw error;
    }
  }
}

/**
 * Wraps the PostgreSQL adapter so that a COMMIT that rolls back is reported as an error. When a statement of a
 * transaction has failed and the caller goes on regardless, PostgreSQL answers COMMIT by rolling back, which Prisma
 * takes for success: an acknowledged change would be lost. Here such a commit fails with PostgreSQL's own error
 * (25P02), or with the conflict with another transaction that came before it, so that the whole is repeated.
 *
 * Prisma sends the queries of a nested read in parallel, also in a transaction, whose single connection executes them
 * one after another. They are queued here, so that a commit waits for the outcome of every statement before it.
 */
export function withCommitGuard(adapter: SqlDriverAdapter): SqlDriverAdapter {
  return adapterLike(adapter, {
    queryRaw: (query) => {
      const sent = adapter.queryRaw(query);
      return reads.test(query.sql) ? sent : outcomeOf(sent);
    },
    executeRaw: (query) => outcomeOf(adapter.executeRaw(query)),
    startTransaction: async (isolationLevel) => guardedTransaction(await adapter.startTransaction(isolationLevel)),
  });
}

/** A statement that cannot change anything. Outside a transaction, every other statement commits by itself. */
const reads = /^\s*SELECT\b/i;

function guardedTransaction(transaction: Transaction): Transaction {
  const inTurn = createSerialQueue();
  let doubtful = false;
  let isLost = false;
  let conflict: unknown;
  const send = <Result>(work: () => Promise<Result>, isLast = false): Promise<Result> =>
    inTurn(work, { last: isLast }).catch((error: unknown) => {
      doubtful = true;
      isLost ||= !isReported(error);
      if (isUndoneByOthers(error)) conflict ??= error;
      throw error;
    });
  const commit = async (query: SqlQuery) => {
    if (doubtful) await requireUsable(transaction, conflict);
    return outcomeOf(transaction.executeRaw(query));
  };
  // There is no wait for a connection that gives no answer: the pool closes it with its transaction.
  const rollback = async (query: SqlQuery) => (isLost ? 0 : transaction.executeRaw(query));
  return transactionLike(transaction, {
    queryRaw: (query) => send(() => transaction.queryRaw(query)),
    executeRaw: (query) => {
      if (query.sql === 'COMMIT') return send(() => commit(query), true);
      if (query.sql === 'ROLLBACK') return send(() => rollback(query), true);
      return send(() => transaction.executeRaw(query));
    },
    createSavepoint: async (name) => send(async () => transaction.createSavepoint?.(name)),
    rollbackToSavepoint: async (name) => send(async () => transaction.rollbackToSavepoint?.(name), true),
    releaseSavepoint: async (name) => send(async () => transaction.releaseSavepoint?.(name)),
  });
}

/**
 * Checks that the transaction still accepts statements; one that does not is rolled back here, because Prisma will not
 * do it. @throws `reason`, or PostgreSQL's error
 */
async function requireUsable(transaction: Transaction, reason: unknown): Promise<void> {
  try {
    await transaction.queryRaw(statement('SELECT 1'));
  } catch (error) {
    await transaction.executeRaw(statement('ROLLBACK')).catch(() => undefined);
    throw reason ?? error;
  }
}

// Behind a pooler each statement runs in a transaction with the settings of the session, which the pooler would not keep.

/**
 * Runs one statement outside of a transaction; behind a pooler in a transaction of its own. There everything is sent at
 * once, in one round trip, so the client must support pipelines. A COMMIT after a statement that failed rolls back.
 */
export async function runAlone(
  client: pg.ClientBase,
  { isPooled, begin }: PostgresqlServer,
  query: pg.QueryArrayConfig,
): Promise<pg.QueryArrayResult> {
  if (!isPooled) return client.query<unknown[]>(query);
  const sent = [client.query(begin), client.query<unknown[]>(query), client.query('COMMIT')] as const;
  const [begun, answered, committed] = await Promise.allSettled(sent);
  if (begun.status === 'rejected') throw begun.reason;
  if (answered.status === 'rejected') throw answered.reason;
  if (committed.status === 'rejected') throw committed.reason;
  return answered.value;
}

/** The same for Prisma's statements outside of transactions, and `settings` at the beginning of its transactions. */
export function withOwnTransactions(
  adapter: SqlDriverAdapter,
  { forTransaction, isolation }: Pick<SessionSettings, 'forTransaction' | 'isolation'>,
): SqlDriverAdapter {
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
  return adapterLike(adapter, {
    queryRaw: (query) => alone((transaction) => transaction.queryRaw(query)),
    executeRaw: (query) => alone((transaction) => transaction.executeRaw(query)),
    startTransaction: begin,
  });
}

/** Gives the connection back; the pool closes one whose transaction is still open. */
async function undo(transaction: Transaction): Promise<void> {
  await transaction.executeRaw(statement('ROLLBACK')).catch(() => undefined);
  await transaction.rollback();
}

const statement = (sql: string): SqlQuery => ({ sql, args: [], argTypes: [] });
