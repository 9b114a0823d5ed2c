import { existsSync, realpathSync, statSync } from 'node:fs';
import { DriverAdapterError } from '@prisma/driver-adapter-utils';
import { DatabaseStartError } from '../database-start-error.js';
import { LogIndex } from './log-index.js';

/** Milliseconds between two looks while nothing is written. */
const lookedEvery = 1_000;

/**
 * The files of an open database, by the names at which every other process looks for them. If somebody removes, moves or
 * replaces one, SQLite goes on with the files that it has open: everything written would be lost at the end of the process.
 * If somebody truncates or overwrites one where it is, SQLite reads a mixture, or an empty database. Only a checkpoint writes
 * into the database file, and the index of the log tells of it: what else changes the time of the file is not SQLite.
 */
export class PlacedFiles {
  readonly #names: readonly string[];
  readonly #opened: string;
  readonly #index: LogIndex;
  readonly #timer: NodeJS.Timeout;
  #seen: { written: number; checkpoints: string } | undefined;
  #isOverwritten = false;

  /** Called when SQLite has just opened all of them. */
  constructor(readonly path: string) {
    const [file, log, index] = placedNames(path);
    this.#names = [file, log, index];
    this.#index = new LogIndex(index);
    this.#opened = this.#look();
    this.#timer = setInterval(() => !this.#isOverwritten && this.#look(), lookedEvery).unref();
  }

  /** @throws DriverAdapterError if one is not there any more; if it comes back, all is well again. Or as `requireContent` */
  require(): void {
    if (this.#look() !== this.#opened) throw movedError(this.path);
    this.requireContent();
  }

  /** @throws DriverAdapterError if one was seen to be overwritten or truncated, which nothing mends */
  requireContent(): void {
    if (this.#isOverwritten) throw overwrittenError(this.path);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Notes whether one was overwritten. Returns which files are there. */
  #look(): string {
    const before = this.#index.read();
    const found = this.#names.map((name) => statSync(name, { throwIfNoEntry: false }));
    const [file, log] = found;
    const identities = found.map((each) => each && `${each.dev}:${each.ino}`).join(' ');
    if (!file || !log || identities !== (this.#opened ?? identities)) return identities;
    const isWritten = this.#seen !== undefined && file.mtimeMs !== this.#seen.written;
    if (isWritten || log.size < before.logBytes) {
      const { checkpoints, isCheckpointing, logBytes } = this.#index.read();
      // A checkpoint, and who shortens the log, say so in the index before they do it.
      const isSame = checkpoints === (isWritten ? this.#seen?.checkpoints : before.checkpoints);
      if (isSame && !isCheckpointing && (isWritten || log.size < logBytes)) this.#isOverwritten = true;
    }
    this.#seen = { written: file.mtimeMs, checkpoints: before.checkpoints };
    return identities;
  }
}

/** All of them are there while a process has the database open. SQLite keeps its logs beside the file to which a link leads. */
function placedNames(path: string): [file: string, log: string, index: string] {
  const file = realpathSync(path);
  return [path, `${file}-wal`, `${file}-shm`];
}

/**
 * With a new log beside an index that others use, or the other way round, processes would overwrite what others wrote.
 * @throws DatabaseStartError if the file, or one of its logs where others have it open, is missing
 */
export function requirePlaced(path: string, withLogs: boolean): void {
  const missing = existsSync(path) ? withLogs && placedNames(path).find((name) => !existsSync(name)) : path;
  if (missing) throw new DatabaseStartError(`The database file ${missing} is gone. ${whatToDo}`);
}

const whatToDo = 'What to do says "A database file that is gone" in docs/operations.md.';

const movedError = (path: string) =>
  placeError(
    'SQLITE_READONLY_DBMOVED',
    `${path}, its -wal or its -shm was removed, moved or replaced while this process has it open, so nothing is written. ` +
      'What was acknowledged is only in this process: before you end it, read "A database file that is gone" in docs/operations.md',
  );

const overwrittenError = (path: string) =>
  placeError(
    'SQLITE_CORRUPT_OVERWRITTEN',
    `${path} or its -wal was truncated or overwritten by another program, or its time was set, while this process has it open, ` +
      'so nothing is read or written. Stop the gateway and restore a backup: "A database file that is gone" in docs/operations.md',
  );

/** With SQLite's own code for a file that was moved, which it finds out only without a write-ahead log, or one of ours. */
function placeError(originalCode: string, message: string): DriverAdapterError {
  return new DriverAdapterError({ originalCode, originalMessage: message, kind: 'sqlite', extendedCode: 8, message });
}
