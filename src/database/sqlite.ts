import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { retryWhileBusy } from './busy.js';
import type { Write } from './direct.js';
import { adapterName, SqliteAdapter } from './sqlite-adapter.js';
import { SqliteConnection } from './sqlite-connection.js';
import { closedError, toAdapterError } from './sqlite-errors.js';
import { SqliteReaders } from './sqlite-readers.js';
import type { SqliteReading } from './sqlite-reads.js';
import { SqliteWriter } from './sqlite-writer.js';
import { type WriterLimits, writerLimits } from './writer-limits.js';

/**
 * Prisma's road to an SQLite file that loses nothing. Prisma's own adapter runs other callers' writes inside whatever
 * transaction happens to be open, acknowledges them, and drops them when it rolls back; here every write and every
 * transaction goes through one queue (`SqliteWriter`), and every other read through a connection of its own that sees
 * only what is committed and waits for nobody (WAL): look-ups at once, all others in processes of their own.
 */
export class SqliteAdapterFactory implements SqlDriverAdapterFactory {
  readonly provider = 'sqlite';
  readonly adapterName = adapterName;
  /** Called before each commit; see `SqliteWriter`. */
  renewReads: () => void = () => {};
  /** Where reads that may take long are answered, from Prisma and past it. */
  readonly readers: SqliteReaders;
  #connected: SqliteAdapter | undefined;

  /** `path` of an existing file or of one to make, in an existing directory. */
  constructor(
    readonly path: string,
    readonly limits: WriterLimits = writerLimits,
    readonly reading: SqliteReading = {},
  ) {
    this.readers = new SqliteReaders(path, reading);
  }

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
  const { path, limits, reading } = factory;
  const options = reading.answerLimit === undefined ? {} : { answerLimit: reading.answerLimit };
  const writer = new SqliteConnection(path, options);
  try {
    writer.script(WRITER_SETTINGS);
    const reader = new SqliteConnection(path, { ...options, readonly: true });
    reader.script(READER_SETTINGS);
    const queue = new SqliteWriter(writer, limits, () => factory.renewReads());
    return new SqliteAdapter(reader, queue, factory);
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
