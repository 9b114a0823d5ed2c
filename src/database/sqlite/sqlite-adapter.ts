import {
  type ConnectionInfo,
  DriverAdapterError,
  type IsolationLevel,
  type SqlDriverAdapter,
  type SqlQuery,
  type SqlResultSet,
  type Transaction,
} from '@prisma/driver-adapter-utils';
import type { Procedure } from '../../common/work.js';
import { callers, type DatabaseReadings } from '../direct-access.js';
import { retryWhileBusy } from './busy.js';
import type { PlacedFiles } from './placed/placed-files.js';
import { createBoundedReadTest } from './readers/sqlite-bounded-reads.js';
import { type SqliteReadOptions, SqliteReadRouter } from './readers/sqlite-read-router.js';
import type { SqliteReaderPool } from './readers/sqlite-reader-pool.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { toAdapterError, toErrorOfWork } from './sqlite-errors.js';
import type { SqliteWriter, WriterLimits } from './sqlite-writer.js';

/** The adapter's name in Prisma's messages. */
export const adapterName = 'business-records-gateway-sqlite';

/** What all connections of a factory share. */
interface Parts {
  readers: SqliteReaderPool;
  reading: SqliteReadOptions;
  limits: WriterLimits;
}

/** Prisma's driver adapter on two connections: one for reads, one for writes. */
export class SqliteAdapter implements SqlDriverAdapter {
  readonly provider = 'sqlite';
  readonly adapterName = adapterName;

  readonly #reader: SqliteConnection;
  readonly #writer: SqliteWriter;
  readonly #readers: SqliteReaderPool;
  readonly #limits: WriterLimits;
  readonly #reads: SqliteReadRouter;
  readonly #isLookUp: (query: SqlQuery) => boolean;
  readonly #files: PlacedFiles;

  constructor(reader: SqliteConnection, writer: SqliteWriter, files: PlacedFiles, { readers, reading, limits }: Parts) {
    this.#reader = reader;
    this.#reads = new SqliteReadRouter(reader, readers, reading);
    this.#isLookUp = createBoundedReadTest(reader);
    this.#writer = writer;
    this.#readers = readers;
    this.#limits = limits;
    this.#files = files;
  }

  async queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    const rows = WRITES.test(query.sql) ? undefined : await this.#read(query);
    return rows ?? this.#writer.statement((connection) => connection.query(query));
  }

  async executeRaw(query: SqlQuery): Promise<number> {
    return this.#writer.statement((connection) => connection.execute(query));
  }

  perform<Result>(begin: () => Procedure<Result>): Promise<Result> {
    return this.#writer.statement((connection) => connection.perform(begin()), toErrorOfWork);
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

  /** The rows of a read; undefined if the query is not one. */
  async #read(query: SqlQuery): Promise<SqlResultSet | undefined> {
    try {
      // For a reader the file is locked only while another process recovers or removes the write-ahead log.
      return await retryWhileBusy(() => {
        this.#files.requireContent();
        if (!this.#reader.isRead(query.sql)) return undefined;
        return this.#reads.answer<SqlResultSet>(
          query.sql,
          this.#isLookUp(query),
          () => this.#reader.query(query),
          (readers) => readers.query(query, callers.getStore()),
        );
      }, this.#limits.waitMillis);
    } catch (error) {
      throw toAdapterError(error);
    }
  }

  readings(): DatabaseReadings {
    return this.#writer.readings();
  }

  getConnectionInfo(): ConnectionInfo {
    return { supportsRelationJoins: false, maxBindValues: 32_766 };
  }

  async dispose(): Promise<void> {
    // The last connection to close copies the write-ahead log into the file and removes it, which only the writer may
    // do.
    this.#reader.close();
    this.#files.close(await this.#writer.close(this.#readers.close(), () => this.#files.ending()));
  }
}

// A fast check for most writes. The prepared statement finds the others, such as WITH … INSERT.
const WRITES = /^\s*(insert|update|delete|replace)\b/i;
