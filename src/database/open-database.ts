import { AsyncLocalStorage } from 'node:async_hooks';
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { inTime } from '../common/timing.js';
import { altered, type Statement } from '../common/work.js';
import { type Prisma, PrismaClient } from '../generated/sqlite/client.js';
import { DatabaseStartError, databaseMessage, retry } from './database-problem.js';
import { profileOf } from './database-url.js';
import {
  callers,
  type DirectAccess,
  type LimitStatement,
  type Read,
  type RunProcedure,
  type StandbyReads,
} from './direct-access.js';
import { explainingStart } from './explain-start.js';
import { migrateOrRefuse } from './migrations/migrate.js';
import type { Provider } from './migrations/migration-history.js';
import { type PrepareOptions, prepareDatabase } from './prepare-database.js';
import { lazyPrisma, withLimits, withResultTurns } from './prisma-adapter.js';
import { closedError } from './sqlite/sqlite-errors.js';
import { type WatchStatement, watchBoth, withDirectAccessLog, withStatementLog } from './statement-log.js';

export { DatabaseStartError };

/** A Prisma client that reads and writes: the database itself or an open transaction. */
export type TransactionClient = Prisma.TransactionClient;

/** What a request uses of an open database; the same interface for SQLite and PostgreSQL. */
export interface Database {
  readonly provider: Provider;
  /** Each call is its own transaction; a write is on disk when its promise resolves. */
  readonly client: TransactionClient;
  /**
   * Runs `work` in one transaction, all or nothing, and resolves with its result once it is durable. `work` must use
   * only the client it is given and wait only for the database (on SQLite all other writers wait for it). It may run
   * more than once: after a conflict with another transaction it is rolled back and repeated. `begin` is called each time
   * before it waits for a connection; if it throws, that is the end.
   */
  transaction<Result>(work: (tx: TransactionClient) => Promise<Result>, begin?: () => void): Promise<Result>;
  /**
   * Runs one read-only statement outside any transaction, with placeholders `?1` (SQLite) or `$1` (PostgreSQL). Returns
   * its rows synchronously for a bounded read on SQLite, otherwise as a promise. Undefined inside a transaction, whose
   * own changes it would not see.
   */
  readonly read?: Read | undefined;
  /**
   * Runs a unit of work without Prisma's query compiler, in its own transaction; inside a transaction, in a savepoint.
   */
  readonly perform: RunProcedure;
  /** Reads that standbys may answer; undefined where there are none, and inside a transaction. */
  readonly standbys?: StandbyReads | undefined;
}

/**
 * A database as a caller sees it. What reads records for a caller takes one, and a `Database` is none, so that nobody
 * forgets what the caller may see: only the gateway makes one, where it knows the caller.
 */
export interface SeenDatabase extends Database {
  /** Undefined for a caller who may see every record. */
  readonly limit: LimitStatement | undefined;
  /** The same read of all records: for what decides itself what the caller is told of them. Undefined inside a transaction. */
  readonly readAll?: Read | undefined;
}

/** The result of `openDatabase`. */
export interface OpenedDatabase extends Database, Pick<DirectAccess, 'signals' | 'readings'> {
  /** Whether the database was empty before it was opened. */
  readonly isNew: boolean;
  /** Whether this start has brought it from an earlier version to this one. */
  readonly isUpgraded: boolean;
  readonly read: Read;
  /**
   * Calls `listener` after each transaction of this process that may have changed something that listeners need to
   * know.
   */
  onCommit(listener: () => void): void;
  /** Resolves if the database answers; rejects within five seconds if it does not. */
  ping(): Promise<void>;
  /** Waits for work under way and closes every connection. Later calls are refused. */
  close(): Promise<void>;
}

export interface OpenOptions extends PrepareOptions {
  /** Whether to apply missing migrations; if false, a database that lacks any is refused. */
  migrate: boolean;
  /** Called with messages for the operator: applied migrations, lost connections. */
  log?: (message: string) => void;
  /** Given the provider, returns what is called with every SQL statement before it runs, on behalf of whoever runs it. */
  watchStatements?: ((provider: Provider) => WatchStatement) | undefined;
}

/** Opens the database and migrates it. @throws DatabaseStartError whose message says what to do */
export function openDatabase(options: OpenOptions): Promise<OpenedDatabase> {
  return explainingStart(options.url, () => open(options));
}

async function open(options: OpenOptions): Promise<OpenedDatabase> {
  const log = options.log ?? (() => undefined);
  const { provider, migration, access } = await prepareDatabase(options, log);
  const history = await migrateOrRefuse(migration, options.migrate, log, options.warn);
  const direct = await access();
  const watch = options.watchStatements?.(provider);
  const { read, perform } = watch ? withDirectAccessLog(direct, watch) : direct;
  const logged = withStatementLog(direct.adapter, watch ? watchBoth(watch, timeStatement) : timeStatement);
  const prisma = lazyPrisma(withResultTurns(withLimits(logged)), await clientOf(provider, options.requestTimeout));
  const listeners = new CommitListeners((error) => log(`After a commit: ${databaseMessage(error)}`));
  const profile = profileOf(options.url);
  let isClosed = false;
  return {
    provider,
    ...history,
    get client() {
      return prisma.client();
    },
    read: (...given) => {
      if (isClosed) throw closedError();
      return read(...given);
    },
    perform: async (begin, caller) => {
      let callsListeners = false;
      const note = (statement: Statement) => {
        callsListeners ||= !statement.callsNoListeners;
        return statement;
      };
      const result = await retry(() => perform(() => altered(begin(), note), caller), profile);
      if (callsListeners) listeners.call();
      return result;
    },
    transaction: async (work, begin) => {
      const attempt = async () => {
        begin?.();
        return prisma.client().$transaction(work);
      };
      const result = await retry(attempt, profile);
      listeners.call();
      return result;
    },
    onCommit: listeners.add,
    signals: direct.signals,
    standbys: direct.standbys,
    readings: direct.readings,
    ping: async () => {
      direct.requirePlace?.();
      await ping(read);
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await prisma.close();
      await direct.close();
    },
  };
}

async function clientOf(provider: Provider, requestTimeout = 0) {
  // Milliseconds a transaction of Prisma may wait to begin and may run. The adapters stop waiting a little earlier, with a
  // clearer error. It may run as long as its request, whose time limit ends first.
  const transactionOptions = { maxWait: 11_000, timeout: Math.max(15_000, requestTimeout + 500) };
  if (provider === 'sqlite')
    return (adapter: SqlDriverAdapterFactory) => new PrismaClient({ adapter, transactionOptions });
  const { PrismaClient: PostgresqlClient } = await import('../generated/postgresql/client.js');
  return (adapter: SqlDriverAdapterFactory) => new PostgresqlClient({ adapter, transactionOptions }) as PrismaClient;
}

/** Lets each request know which of its statements took longest. */
const timeStatement: WatchStatement = (sql) => {
  if (frame.test(sql)) return undefined;
  const end = callers.getStore()?.statements?.begin(sql);
  return end && { comment: '', end };
};

/** Statements without a plan. */
const frame = /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)/;

/** Milliseconds after which a database that has not answered counts as gone. */
export const PING_MILLIS = 5_000;

/** Resolves if the database answers; rejects within five seconds if it does not. */
async function ping(read: Read): Promise<void> {
  const asked = (async () => read('SELECT 1 FROM "_prisma_migrations" LIMIT 1', [], 'bounded'))();
  await inTime(asked, PING_MILLIS, () => {
    throw Object.assign(new Error(`The database has not answered within ${PING_MILLIS} ms`), { code: 'ETIMEDOUT' });
  });
}

/** Calls listeners after each committed transaction. */
class CommitListeners {
  readonly #listeners: (() => void)[] = [];

  /** `report` gets the errors of listeners. The commit is acknowledged all the same. */
  constructor(private readonly report: (error: unknown) => void) {}

  /** Listeners are not called in the name of the request that has committed. */
  readonly add = (listener: () => void): void => void this.#listeners.push(AsyncLocalStorage.bind(listener));

  call(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        this.report(error);
      }
    }
  }
}
