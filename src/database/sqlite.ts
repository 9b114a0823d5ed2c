import type {
  ConnectionInfo,
  IsolationLevel,
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlResultSet,
  Transaction,
} from '@prisma/driver-adapter-utils';
import { DriverAdapterError } from '@prisma/driver-adapter-utils';
import { retryWhileBusy } from './busy.js';
import type { Batch, Rows, Write } from './direct.js';
import { SqliteConnection } from './sqlite-connection.js';
import { closedError, toAdapterError } from './sqlite-errors.js';
import { SqliteWriter } from './sqlite-writer.js';
import { type WriterLimits, writerLimits } from './writer-limits.js';

const adapterName = 'business-records-gateway-sqlite';

/**
 * Prisma's road to an SQLite file that loses nothing. Prisma's own adapter runs other callers' writes inside whatever
 * transaction happens to be open, acknowledges them, and drops them when it rolls back; here every write and every
 * transaction goes through one queue (`SqliteWriter`), and every other read through a connection of its own that sees
 * only what is committed and waits for nobody (WAL).
 */
export class SqliteAdapterFactory implements SqlDriverAdapterFactory {
  readonly provider = 'sqlite';
  readonly adapterName = adapterName;
  /** Called before each commit; see `SqliteWriter`. */
  renewReads: () => void = () => {};
  #connected: SqliteAdapter | undefined;

  /** `path` of an existing file or of one to make, in an existing directory. */
  constructor(
    readonly path: string,
    readonly limits: WriterLimits = writerLimits,
    readonly answerLimit?: number,
  ) {}

  async connect(): Promise<SqlDriverAdapter> {
    try {
      this.#connected = await retryWhileBusy(() => openAdapter(this), this.limits.waitMillis);
      return this.#connected;
    } catch (error) {
      throw toAdapterError(error);
    }
  }

  /** Writes past Prisma, in the same queue as what Prisma writes. */
  readonly write: Write = async (batch, begin) => {
    if (!this.#connected) throw closedError();
    return this.#connected.write(batch, begin);
  };
}

function openAdapter(factory: SqliteAdapterFactory): SqliteAdapter {
  const { path, limits, answerLimit } = factory;
  const options = answerLimit === undefined ? {} : { answerLimit };
  const writer = new SqliteConnection(path, options);
  try {
    writer.script(WRITER_SETTINGS);
    const reader = new SqliteConnection(path, { ...options, readonly: true });
    reader.script(READER_SETTINGS);
    return new SqliteAdapter(reader, new SqliteWriter(writer, limits, () => factory.renewReads()), limits);
  } catch (error) {
    writer.close();
    throw error;
  }
}

// FULL: a commit is on the disk before it is answered; WAL's own default syncs now and then. fullfsync is what macOS
// calls a sync that reaches the disk. The log is cut back to 64 MB after a burst of writes.
const WRITER_SETTINGS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = ON;
  PRAGMA foreign_keys = ON;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA cache_size = -32000;
`;
const READER_SETTINGS = 'PRAGMA query_only = ON; PRAGMA cache_size = -32000;';

class SqliteAdapter implements SqlDriverAdapter {
  readonly provider = 'sqlite';
  readonly adapterName = adapterName;

  readonly #reader: SqliteConnection;
  readonly #writer: SqliteWriter;
  readonly #limits: WriterLimits;

  constructor(reader: SqliteConnection, writer: SqliteWriter, limits: WriterLimits) {
    this.#reader = reader;
    this.#writer = writer;
    this.#limits = limits;
  }

  async queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    const rows = WRITES.test(query.sql) ? undefined : await this.#read(query);
    return rows ?? this.#writer.statement((connection) => connection.query(query));
  }

  async executeRaw(query: SqlQuery): Promise<number> {
    return this.#writer.statement((connection) => connection.execute(query));
  }

  write(batch: Batch, begin: () => boolean): Promise<Rows | undefined> {
    return this.#writer.statement((connection) => (begin() ? connection.batch(batch) : undefined));
  }

  async executeScript(script: string): Promise<void> {
    return this.#writer.statement((connection) => connection.atomically(script));
  }

  async startTransaction(isolationLevel?: IsolationLevel): Promise<Transaction> {
    if (isolationLevel && isolationLevel !== 'SERIALIZABLE') {
      throw new DriverAdapterError({ kind: 'InvalidIsolationLevel', level: isolationLevel });
    }
    return this.#writer.transaction();
  }

  /** The rows of `query`, or undefined where it is no read. */
  async #read(query: SqlQuery): Promise<SqlResultSet | undefined> {
    try {
      // A reader finds the file locked only in the moment another process recovers or removes the log.
      return await retryWhileBusy(
        () => (this.#reader.isRead(query.sql) ? this.#reader.query(query) : undefined),
        this.#limits.waitMillis,
      );
    } catch (error) {
      throw toAdapterError(error);
    }
  }

  getConnectionInfo(): ConnectionInfo {
    return { supportsRelationJoins: false, maxBindValues: 32_766 };
  }

  async dispose(): Promise<void> {
    // The last connection to go copies the log into the file and removes it, which only the writer may.
    this.#reader.close();
    await this.#writer.close();
  }
}

// A shortcut only: what it misses, such as a WITH … INSERT, the reader's prepared statement knows.
const WRITES = /^\s*(insert|update|delete|replace)\b/i;
