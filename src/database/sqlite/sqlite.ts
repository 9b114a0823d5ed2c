import { statSync } from 'node:fs';
import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { DatabaseReadings, RunProcedure } from '../direct-access.js';
import type { Peers } from '../peers.js';
import { retryWhileBusy } from './busy.js';
import { identityOf, PlacedFiles } from './placed/placed-files.js';
import { heavyHere, type SqliteReadOptions } from './readers/sqlite-read-router.js';
import { SqliteReaderPool } from './readers/sqlite-reader-pool.js';
import { adapterName, SqliteAdapter } from './sqlite-adapter.js';
import { SqliteConnection } from './sqlite-connection.js';
import { closedError, toAdapterError } from './sqlite-errors.js';
import { SqliteWriter } from './sqlite-writer.js';
import { type WriterLimits, writerLimits } from './writer-limits.js';

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
    const beforeCommit = () => {
      files.require();
      factory.renewReads();
    };
    const queue = new SqliteWriter(writer, limits, beforeCommit, peers?.turns);
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
