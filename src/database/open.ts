import { setTimeout as sleep } from 'node:timers/promises';
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { type Prisma, PrismaClient } from '../generated/sqlite/client.js';
import { closeable } from './closeable.js';
import type { Read, Write } from './direct.js';
import { withLoadCount } from './loaded.js';
import { makeTables } from './migrate.js';
import type { Provider } from './migration-history.js';
import { prepareSqlite, sqlitePath } from './open-sqlite.js';
import { retry } from './retry.js';
import { boundedMark } from './sqlite-look-up.js';
import type { SqliteReading } from './sqlite-reads.js';
import { DatabaseStartError } from './start-error.js';
import { type OnStatement, withDirectLog, withStatementLog } from './statement-log.js';

export { DatabaseStartError };

/** What reads and writes: the open database itself, or one transaction of it. */
export type TransactionClient = Prisma.TransactionClient;

/** The open database, the same for everyone who uses it whichever it is. */
export interface Database {
  readonly provider: Provider;
  /** Every call is a transaction of its own; a write has reached the disk when it is answered. */
  readonly client: TransactionClient;
  /**
   * Runs `work` in one transaction, all of it or nothing, and returns its result once it is durable. `work` uses only
   * the client it is given, waits for nothing but the database (on SQLite everybody who writes waits with it), and may
   * run more than once: a conflict with another transaction undoes and repeats it.
   */
  transaction<Result>(work: (tx: TransactionClient) => Promise<Result>): Promise<Result>;
  /**
   * Runs one statement that only reads, outside of every transaction, with `?1` or `$1` for the values, and returns its
   * rows: at once where it is bounded and the database is SQLite, else later. Absent inside a transaction, whose own changes it would not see.
   */
  readonly read?: Read | undefined;
  /** Runs a batch of statements past Prisma, in a transaction of its own. Absent inside a transaction. */
  readonly write?: Write | undefined;
  /** Resolves when the database answers; rejects within five seconds when it does not. */
  ping(): Promise<void>;
  /** Lets what is under way finish and closes every connection. Whatever comes later is refused. */
  close(): Promise<void>;
}

/** What `openDatabase` gives. */
export interface OpenedDatabase extends Database {
  /** Whether it had no tables until it was opened now. */
  readonly isNew: boolean;
}

export interface OpenOptions extends SqliteReading {
  /** `file:./data/records.db`, made with its folder where it is missing, or `postgresql://…`. */
  url: string;
  /** Whether to apply the missing migrations; otherwise a database that lacks any is refused. */
  migrate: boolean;
  /** Milliseconds after which a request has been answered anyway; PostgreSQL ends a statement by then. */
  requestTimeout?: number;
  /** Bytes an answer may hold, which bounds what is loaded for it. */
  answerLimit?: number;
  /** Told what an operator may want to know: migrations applied, connections lost. */
  log?: (message: string) => void;
  /** Told every SQL statement before it runs. For tests; costs nothing when absent. */
  onStatement?: OnStatement;
}

/** Opens the database, brought up to date. Throws a `DatabaseStartError` whose message says what to do. */
export async function openDatabase(options: OpenOptions): Promise<OpenedDatabase> {
  const log = options.log ?? (() => undefined);
  const provider = providerOf(options.url);
  const { migration, adapter, openDirect } =
    provider === 'sqlite'
      ? await prepareSqlite(sqlitePath(options.url), { ...options, log })
      : await (await forPostgresql()).preparePostgresql(options.url, {
          answerLimit: options.answerLimit,
          longestStatement: Math.min(LONGEST_STATEMENT, options.requestTimeout ?? LONGEST_STATEMENT),
          onError: (error) => log(`A database connection was lost: ${error.message}`),
        });
  const isNew = await makeTables(migration, options.migrate, log);
  const { onStatement } = options;
  const door = closeable(withLoadCount(onStatement ? withStatementLog(adapter, onStatement) : adapter));
  const client = await makeClient(provider, door.adapter);
  await client.$connect();
  const direct = openDirect();
  const { read, write } = onStatement ? withDirectLog(direct, onStatement) : direct;
  return {
    provider,
    isNew,
    client,
    read,
    write: (batch, begin) => retry(() => write(batch, begin)),
    transaction: (work) => retry(() => client.$transaction(work)),
    ping: () => ping(client),
    close: async () => {
      door.close();
      await direct.close();
      await client.$disconnect();
    },
  };
}

function providerOf(url: string): Provider {
  if (url.startsWith('file:')) return 'sqlite';
  if (/^postgres(ql)?:\/\//.test(url)) return 'postgresql';
  throw new DatabaseStartError('DATABASE_URL must begin with file: (SQLite) or postgresql://.');
}

/**
 * How long a transaction waits for its turn and how long it may run, in milliseconds. The adapters give up waiting a
 * little earlier, and say why.
 */
const transactionOptions = { maxWait: 11_000, timeout: 15_000 };

async function makeClient(provider: Provider, adapter: SqlDriverAdapterFactory): Promise<PrismaClient> {
  const options = { adapter, transactionOptions };
  if (provider === 'sqlite') return new PrismaClient(options);
  const { PrismaClient: PostgresqlClient } = await import('../generated/postgresql/client.js');
  return new PostgresqlClient(options) as PrismaClient;
}

/** Who keeps records in SQLite waits for none of it at the start, and has none of it in memory. */
const forPostgresql = () => import('./open-postgresql.js');

async function ping(client: PrismaClient): Promise<void> {
  const deadline = new AbortController();
  const late = sleep(PING_MILLIS, undefined, deadline).then(() => {
    throw Object.assign(new Error(`The database has not answered within ${PING_MILLIS} ms`), { code: 'ETIMEDOUT' });
  });
  try {
    await Promise.race([client.$queryRawUnsafe(`SELECT 1 FROM "_prisma_migrations" LIMIT 1 ${boundedMark}`), late]);
  } finally {
    late.catch(() => undefined);
    deadline.abort();
  }
}

const PING_MILLIS = 5_000;
const LONGEST_STATEMENT = 20_000;
