import { existsSync, realpathSync, statSync } from 'node:fs';
import { DriverAdapterError } from '@prisma/driver-adapter-utils';
import { DatabaseStartError } from '../database-start-error.js';

/**
 * The files of an open database, by the names at which every other process looks for them. If somebody removes, moves or
 * replaces one, SQLite goes on with the files that it has open: everything written would be lost at the end of the process.
 * A file that is overwritten in its place cannot be told from one that is used.
 */
export class PlacedFiles {
  readonly #names: readonly string[];
  readonly #opened: string;

  /** Called when SQLite has just opened all of them. */
  constructor(readonly path: string) {
    this.#names = placedNames(path);
    this.#opened = this.#found();
  }

  /** @throws DriverAdapterError if one is not there any more; if it comes back, all is well again */
  require(): void {
    if (this.#found() !== this.#opened) throw movedError(this.path);
  }

  #found(): string {
    const inode = (name: string) => {
      const found = statSync(name, { throwIfNoEntry: false });
      return found && `${found.dev}:${found.ino}`;
    };
    return this.#names.map(inode).join(' ');
  }
}

/** All of them are there while a process has the database open. SQLite keeps its logs beside the file to which a link leads. */
function placedNames(path: string): string[] {
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

function movedError(path: string): DriverAdapterError {
  const message =
    `${path}, its -wal or its -shm was removed, moved or replaced while this process has it open, so nothing is written. ` +
    'What was acknowledged is only in this process: before you end it, read "A database file that is gone" in docs/operations.md';
  // SQLite's own code for this, which it finds out only without a write-ahead log.
  const originalCode = 'SQLITE_READONLY_DBMOVED';
  return new DriverAdapterError({ originalCode, originalMessage: message, kind: 'sqlite', extendedCode: 8, message });
}
