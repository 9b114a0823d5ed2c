import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type ConnectionInfo,
  DriverAdapterError,
  type IsolationLevel,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
  type SqlQuery,
  type SqlResultSet,
  type Transaction,
} from '@prisma/driver-adapter-utils';
import type { MaybePromise } from '../../common/maybe-promise.js';
import type { Procedure } from '../../common/work.js';
import type { Peers } from '../commit-outcome.js';
import { DatabaseStartError, databaseMessage } from '../database-problem.js';
import { callers, type DatabaseReadings, type DirectAccess, type Rows, type RunProcedure } from '../direct-access.js';
import type { MigrationConnection } from '../migrations/migrate.js';
import { migrationsFolder, missingMigrations, readMigrations } from '../migrations/migration-history.js';
import { appliedMigrations, openSqliteMigration } from '../migrations/sqlite-migration.js';
import { lostError, requireNotLost } from './lost-mark.js';
import { identityOf, PlacedFiles, requirePlaced } from './placed-files.js';
import { SqliteReaderPool } from './reader-pool.js';
import { createBoundedReadTest, heavyHere, type SqliteReadOptions, SqliteReadRouter, SqliteSnapshot } from './reads.js';
import { SqliteConnection } from './sqlite-connection.js';
import { closedError, isBusy, retryWhileBusy, sqliteCode, toAdapterError, toErrorOfWork } from './sqlite-errors.js';
import { closeToOthers, makeSqliteFile, readableFile, requireOneName } from './sqlite-file.js';
import { SqliteWriter, type WriterLimits, writerLimits } from './sqlite-writer.js';

/** The absolute path of the file in `url` (`file:./data/records.db`, `file:/var/lib/records.db`). */
export function sqlitePath(url: string): string {
  return url.startsWith('file://') ? fileURLToPath(url) : resolve(url.slice('file:'.length));
}

interface PrepareSqlite {
  peers?: Peers | undefined;
  creates?: boolean;
  joins?: string | undefined;
  onlyReads?: boolean;
  log: (message: string) => void;
}

/** Creates the file and its folder if they are missing. @throws DatabaseStartError if the file cannot be written, unless it is only read */
export async function prepareSqlite(
  path: string,
  { log, peers, creates = true, joins, onlyReads = false, ...reading }: SqliteReadOptions & PrepareSqlite,
): Promise<{ migration: MigrationConnection; adapter: SqliteAdapterFactory; openDirect(): DirectAccess }> {
  if (peers?.files.isOverwritten()) throw lostError(path);
  if (!creates || joins !== undefined) requirePlaced(path, joins);
  requireNotLost(path);
  try {
    makeSqliteFile(path);
  } catch (error) {
    throw new DatabaseStartError(
      `The folder of the database file ${path} cannot be made (${databaseMessage(error)}). Make it, or set DATABASE_URL to another file.`,
      { cause: error },
    );
  }
  const file = onlyReads ? readableFile(path) : path;
  await requireOurs(path, file);
  if (!onlyReads) {
    // Others that have it open were asked.
    if (joins === undefined) requireOneName(path);
    await requireWritable(path);
  }
  path = file;
  closeToOthers(path, log);
  const adapter = new SqliteAdapterFactory(path, writerLimits, { ...reading, onlyReads }, peers);
  return { migration: openSqliteMigration(path), adapter, openDirect: () => openDirectAccess(path, adapter, peers) };
}

function openDirectAccess(path: string, adapter: SqliteAdapterFactory, peers: Peers | undefined): DirectAccess {
  const connection = new SqliteConnection(path, { readonly: true, heavy: heavyHere(adapter.reading) });
  // Cache up to 128 MB, so that repeated reads do not go to the file system.
  connection.script('PRAGMA query_only = ON; PRAGMA cache_size = -128000;');
  const snapshot = new SqliteSnapshot(connection);
  const reads = new SqliteReadRouter(connection, adapter.readers, adapter.reading);
  adapter.renewReads = () => snapshot.renew();
  return {
    read: (sql, values, reach, caller) => {
      adapter.requireContent();
      return reads.answer<Rows>(
        sql,
        reach === 'bounded',
        () => patiently(() => snapshot.read(sql, values)),
        (readers) => readers.rows(sql, values, caller),
      );
    },
    perform: adapter.perform,
    ...(peers && { signals: peers.signals }),
    readings: () => adapter.readings(),
    requirePlace: () => adapter.requirePlace(),
    close: async () => snapshot.close(),
  };
}

/** For a reader the file is locked only while another process recovers or removes the write-ahead log. */
function patiently(read: () => Rows): MaybePromise<Rows> {
  try {
    return read();
  } catch (error) {
    if (!isBusy(error)) throw error;
    return retryWhileBusy(read, writerLimits.waitMillis);
  }
}

/** A file of another program is left as it is, with its permissions. `file` is where the database at `path` is read. */
export async function requireOurs(path: string, file: string): Promise<void> {
  const look = () => {
    // Only a connection that may write removes the -wal that it makes; it would write what is in one that was there before.
    const hasLog = ['-wal', '-shm', '-journal'].some((ending) => existsSync(`${realpathSync(path)}${ending}`));
    const connection = new SqliteConnection(file, { readonly: hasLog });
    try {
      const marks = ['SELECT 1 FROM sqlite_master LIMIT 1', 'PRAGMA application_id', 'PRAGMA user_version'];
      const isUsed = marks.some((sql) => connection.rows(sql, []).some(([value]) => Number(value) !== 0));
      const applied = appliedMigrations(connection);
      if (isUsed && applied.length === 0) throw DatabaseStartError.foreign(path);
      missingMigrations(readMigrations(migrationsFolder('sqlite')), applied);
    } finally {
      connection.close();
    }
  };
  await retryWhileBusy(look, 10_000).catch((error: unknown) => {
    // What else is wrong with the file is said by the next step, which opens it to write.
    if (error instanceof DatabaseStartError || sqliteCode(error) === 'SQLITE_NOTADB') throw error;
    // Its table of migrations has other columns.
    if (sqliteCode(error) === 'SQLITE_ERROR') throw DatabaseStartError.foreign(path);
  });
}

/** SQLite opens a read-only file without an error and reports it only at the first write. */
async function requireWritable(path: string): Promise<void> {
  const connection = await retryWhileBusy(() => new SqliteConnection(path), 10_000);
  try {
    // On a read-only file even BEGIN IMMEDIATE succeeds, as a read transaction, so the test has to write.
    connection.script('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; CREATE TABLE "gateway_is_writable" ("x"); ROLLBACK');
  } catch (error) {
    // A locked file is writable.
    if (!isBusy(error)) throw error;
  } finally {
    connection.close();
  }
}

/**
 * Prisma's adapter for an SQLite file. Prisma's own adapter runs other callers' writes inside whatever transaction is
 * open, acknowledges them, and loses them if it rolls back. Here all writes and transactions go through one queue
 * (`SqliteWriter`). Reads outside transactions use a separate connection, which sees only committed data and never
 * waits (WAL): bounded reads in this process, others in reader processes.
 */
export class SqliteAdapterFactory implements SqlDriverAdapterFactory {
  readonly provider = 'sqlite';
  readonly adapterName = adapterName;
  /** Called before each commit; see `SqliteWriter`. */
  renewReads: () => void = () => {};
  /** Throws if a file of the open database is not where it was. */
  requirePlace: () => void = () => {};
  /** Throws if one was overwritten: then not even a read is answered. Costs nothing. */
  requireContent: () => void = () => {};
  /** Runs reads that may take long, both Prisma's and direct ones. */
  readonly readers: SqliteReaderPool;
  #connected: SqliteAdapter | undefined;

  /** `path` names an existing file, or a new one in an existing folder. */
  constructor(
    readonly path: string,
    readonly limits: WriterLimits = writerLimits,
    readonly reading: SqliteReadOptions = {},
    readonly peers?: Peers | undefined,
  ) {
    this.readers = new SqliteReaderPool(path, reading, () => this.requirePlace());
  }

  async connect(): Promise<SqlDriverAdapter> {
    try {
      this.#connected = await retryWhileBusy(() => openAdapter(this), this.limits.waitMillis);
      return this.#connected;
    } catch (error) {
      throw toAdapterError(error);
    }
  }

  /** Runs a unit of work without Prisma, in the same queue as Prisma's writes. */
  readonly perform: RunProcedure = async (begin) => {
    if (!this.#connected) throw closedError();
    return this.#connected.perform(begin);
  };

  readings(): DatabaseReadings {
    return this.#connected?.readings() ?? { waiting: 0 };
  }
}

function openAdapter(factory: SqliteAdapterFactory): SqliteAdapter {
  const { path, limits, reading, peers } = factory;
  const options = reading.answerLimit === undefined ? {} : { answerLimit: reading.answerLimit };
  const { onlyReads = false } = reading;
  const before = identityOf(statSync(path));
  const writer = new SqliteConnection(path, { ...options, readonly: onlyReads });
  try {
    if (!onlyReads) writer.script(WRITER_SETTINGS);
    const reader = new SqliteConnection(path, { ...options, readonly: true, heavy: heavyHere(reading) });
    reader.script(READER_SETTINGS);
    // Reads once, so that the log and its index are there. If the log was left by a process that was killed, its index says
    // that a checkpoint may be under way until one is done.
    writer.script(`SELECT 1 FROM sqlite_schema LIMIT 1;${onlyReads ? '' : ' PRAGMA wal_checkpoint(PASSIVE)'}`);
    const files = new PlacedFiles(path, before, peers?.files);
    factory.requirePlace = () => files.require();
    factory.requireContent = () => files.requireContent();
    const commit = {
      before: () => {
        files.require();
        factory.renewReads();
      },
      after: files.requireLog,
    };
    const queue = new SqliteWriter(writer, limits, commit, peers?.turns);
    return new SqliteAdapter(reader, queue, files, factory);
  } catch (error) {
    writer.close();
    throw error;
  }
}

// synchronous = FULL syncs each commit before it is acknowledged; the default of WAL syncs only now and then. fullfsync
// makes macOS sync to the disk itself. journal_size_limit truncates the log to 64 MB after a burst of writes.
const WRITER_SETTINGS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = ON;
  PRAGMA foreign_keys = ON;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA cache_size = -32000;
`;
const READER_SETTINGS = 'PRAGMA query_only = ON; PRAGMA cache_size = -32000;';

/** The adapter's name in Prisma's messages. */
const adapterName = 'business-records-gateway-sqlite';

/** What all connections of a factory share. */
interface Parts {
  readers: SqliteReaderPool;
  reading: SqliteReadOptions;
  limits: WriterLimits;
}

/** Prisma's driver adapter on two connections: one for reads, one for writes. */
class SqliteAdapter implements SqlDriverAdapter {
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
