import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type ConnectionInfo,
  DriverAdapterError,
  type IsolationLevel,
  type SqlDriverAdapter,
  type SqlQuery,
  type SqlResultSet,
  type Transaction,
} from '@prisma/driver-adapter-utils';
import type { MaybePromise } from '../../common/maybe-promise.js';
import { DatabaseStartError, databaseMessage } from '../database-problem.js';
import {
  type CommitSignals,
  callers,
  type DirectAccess,
  type Peers,
  type Read,
  type Rows,
  type RunProcedure,
} from '../direct-access.js';
import type { MigrationConnection } from '../migrations/migrate.js';
import { migrationsFolder, missingMigrations, readMigrations } from '../migrations/migration-history.js';
import { appliedMigrations, openSqliteMigration } from '../migrations/sqlite-migration.js';
import { lostError, requireNotLost } from './lost-mark.js';
import { identityOf, PlacedFiles, requirePlaced } from './placed-files.js';
import { SqliteReaderPool } from './reader-pool.js';
import { createReadRouter, heavyHere, ReadBounds, type SqliteReadOptions, SqliteSnapshot } from './reads.js';
import { SqliteConnection } from './sqlite-connection.js';
import { isBusy, retryWhileBusy, sqliteCode, toAdapterError, toErrorOfWork } from './sqlite-errors.js';
import { closeToOthers, makeSqliteFile, readableFile, requireOneName } from './sqlite-file.js';
import { SqliteWriter, type WriterLimits, writerLimits } from './sqlite-writer.js';

/** The absolute path of the file in `url` (`file:./data/records.db`, `file:/var/lib/records.db`). */
export function sqlitePath(url: string): string {
  return url.startsWith('file://') ? fileURLToPath(url) : resolve(url.slice('file:'.length));
}

export interface PrepareSqlite {
  /** Other processes on the same file. */
  peers?: Peers | undefined;
  /** False if a file that is missing must not be created, because there was one at the start of the gateway. */
  creates?: boolean;
  /** Which files other workers have open: then it must be these, and a log that is missing must not be created either. */
  joins?: string | undefined;
  log: (message: string) => void;
}

/** Creates the file and its folder if they are missing. @throws DatabaseStartError if the file cannot be written, unless it is only read */
export async function prepareSqlite(
  path: string,
  { log, peers, creates = true, joins, onlyReads = false, ...reading }: SqliteReadOptions & PrepareSqlite,
): Promise<{ migration: MigrationConnection; access(): Promise<DirectAccess> }> {
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
  closeToOthers(file, log);
  return { migration: openSqliteMigration(file), access: () => openSqlite(file, { ...reading, onlyReads }, peers) };
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
      if (isUsed && applied.length === 0) throw foreignError(path);
      missingMigrations(readMigrations(migrationsFolder('sqlite')), applied);
    } finally {
      connection.close();
    }
  };
  await retryWhileBusy(look, 10_000).catch((error: unknown) => {
    // What else is wrong with the file is said by the next step, which opens it to write.
    if (error instanceof DatabaseStartError || sqliteCode(error) === 'SQLITE_NOTADB') throw error;
    // Its table of migrations has other columns.
    if (sqliteCode(error) === 'SQLITE_ERROR') throw foreignError(path);
  });
}

const foreignError = (path: string): DatabaseStartError =>
  new DatabaseStartError(
    `The database file ${path} belongs to another program: it holds something, but no migrations of the gateway. Nothing in it was changed. Set DATABASE_URL to another file.`,
  );

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

/** `path` names an existing file, or a new one in an existing folder. */
export async function openSqlite(
  path: string,
  reading: SqliteReadOptions = {},
  peers?: Peers,
  limits: WriterLimits = writerLimits,
): Promise<SqliteDatabase> {
  try {
    return await retryWhileBusy(() => new SqliteDatabase(path, reading, peers, limits), limits.waitMillis);
  } catch (error) {
    throw toAdapterError(error);
  }
}

/**
 * An SQLite file, for Prisma and without it. Prisma's own adapter runs other callers' writes inside whatever transaction is
 * open, acknowledges them, and loses them if it rolls back. Here all writes and transactions go through one queue
 * (`SqliteWriter`). Reads outside transactions use a separate connection, which sees only committed data and never
 * waits (WAL): bounded reads in this process, others in reader processes.
 */
class SqliteDatabase implements SqlDriverAdapter, DirectAccess {
  readonly provider = 'sqlite';
  readonly adapterName = 'business-records-gateway-sqlite';
  readonly adapter = this;
  readonly signals: CommitSignals | undefined;
  readonly #files: PlacedFiles;
  readonly #writer: SqliteWriter;
  readonly #snapshot: SqliteSnapshot;
  readonly #readers: SqliteReaderPool;
  readonly #answer: ReturnType<typeof createReadRouter>;
  readonly #bounds: ReadBounds;
  readonly #waitMillis: number;

  constructor(path: string, reading: SqliteReadOptions, peers: Peers | undefined, limits: WriterLimits) {
    const { answerLimit, onlyReads = false } = reading;
    const before = identityOf(statSync(path));
    const writer = new SqliteConnection(path, { answerLimit, readonly: onlyReads });
    try {
      if (!onlyReads) writer.script(WRITER_SETTINGS);
      const reader = new SqliteConnection(path, { answerLimit, readonly: true, heavy: heavyHere(reading) });
      reader.script(READER_SETTINGS);
      // Reads once, so that the log and its index are there. If the log was left by a process that was killed, its index says
      // that a checkpoint may be under way until one is done.
      writer.script(`SELECT 1 FROM sqlite_schema LIMIT 1;${onlyReads ? '' : ' PRAGMA wal_checkpoint(PASSIVE)'}`);
      const files = new PlacedFiles(path, before, peers?.files);
      const snapshot = new SqliteSnapshot(reader);
      const beforeCommit = () => {
        files.require();
        snapshot.renew();
      };
      this.#writer = new SqliteWriter(writer, limits, { before: beforeCommit, after: files.requireLog }, peers?.turns);
      this.#readers = new SqliteReaderPool(path, reading, () => files.require());
      this.#answer = createReadRouter(reader, reading);
      this.#bounds = new ReadBounds(reader);
      this.#files = files;
      this.#snapshot = snapshot;
    } catch (error) {
      writer.close();
      throw error;
    }
    this.signals = peers?.signals;
    this.#waitMillis = limits.waitMillis;
  }

  readonly read: Read = (sql, values, reach, caller) => {
    this.#files.requireContent();
    return this.#answer<Rows>(
      sql,
      reach === 'bounded' && (!caller?.limit || this.#bounds.ofLimited(sql, values.length) === 'bounded'),
      () => this.#patiently(() => this.#snapshot.read(sql, values)),
      () => this.#readers.rows(sql, values, caller),
    );
  };

  readonly perform: RunProcedure = (begin) =>
    this.#writer.statement((connection) => connection.perform(begin()), toErrorOfWork);

  async queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    const rows = await this.#readForPrisma(query);
    return rows ?? this.#writer.statement((connection) => connection.query(query));
  }

  async executeRaw(query: SqlQuery): Promise<number> {
    return this.#writer.statement((connection) => connection.execute(query));
  }

  async executeScript(): Promise<void> {
    throw new Error('Scripts are for migrations, which have a connection of their own');
  }

  async startTransaction(isolationLevel?: IsolationLevel): Promise<Transaction> {
    if (isolationLevel && isolationLevel !== 'SERIALIZABLE') {
      throw new DriverAdapterError({ kind: 'InvalidIsolationLevel', level: isolationLevel });
    }
    return this.#writer.transaction();
  }

  /** Undefined if the query is not a read. */
  async #readForPrisma(query: SqlQuery): Promise<SqlResultSet | undefined> {
    try {
      this.#files.requireContent();
      const isLimited = callers.getStore()?.limit !== undefined;
      const bound = await this.#patiently(() => this.#bounds.ofPrisma(query, isLimited));
      if (!bound) return undefined;
      return await this.#answer<SqlResultSet>(
        query.sql,
        bound === 'bounded',
        () => this.#patiently(() => this.#snapshot.query(query)),
        () => this.#readers.query(query, callers.getStore()),
      );
    } catch (error) {
      throw toAdapterError(error);
    }
  }

  /** For a reader the file is locked only while another process recovers or removes the write-ahead log. */
  #patiently<Result>(read: () => Result): MaybePromise<Result> {
    try {
      return read();
    } catch (error) {
      if (!isBusy(error)) throw error;
      return retryWhileBusy(read, this.#waitMillis);
    }
  }

  readonly readings = () => this.#writer.readings();

  readonly requirePlace = () => this.#files.require();

  getConnectionInfo(): ConnectionInfo {
    return { supportsRelationJoins: false, maxBindValues: 32_766 };
  }

  async close(): Promise<void> {
    // The last connection to close copies the write-ahead log into the file and removes it, which only the writer may
    // do.
    this.#snapshot.close();
    this.#files.close(await this.#writer.close(this.#readers.close(), () => this.#files.ending()));
  }

  /** Called by Prisma. */
  dispose(): Promise<void> {
    return this.close();
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
// Caches up to 128 MB, so that repeated reads do not go to the file system.
const READER_SETTINGS = 'PRAGMA query_only = ON; PRAGMA cache_size = -128000;';
