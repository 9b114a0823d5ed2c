import { createHash } from 'node:crypto';
import { existsSync, lstatSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { DriverAdapterError } from '@prisma/driver-adapter-utils';
import type { FilePeers } from '../../commit-outcome.js';
import { DatabaseStartError } from '../../database-problem.js';
import { markLost, unmarkLost, whatToDo } from './lost-mark.js';

/** Milliseconds between two looks while nothing is written. */
const lookedEvery = 1_000;

/** What was seen of the database file, by which the next look tells whether another program has written into it. */
interface Seen {
  written: number;
  checkpoints: string;
  /** Unknown if a checkpoint was under way. */
  content: string | undefined;
  changes: number;
}

/**
 * The files of an open database, by the names at which every other process looks for them. If somebody removes, moves or
 * replaces one, SQLite goes on with the files that it has open: everything written would be lost at the end of the process.
 * If somebody truncates or overwrites one where it is, SQLite reads a mixture, or an empty database. Only a checkpoint writes
 * into the database file, and the index of the log tells of it: if the time of the file changes otherwise, its content is
 * compared with what it was, because somebody may have set only the time. Of a checkpoint the counter of changes in the file is
 * known to go up only.
 */
export class PlacedFiles {
  readonly #opened: string;
  /** The file, not the links that led to it when it was opened. */
  readonly #real: string;
  readonly #index: LogIndex;
  readonly #content: Content;
  readonly #timer: NodeJS.Timeout;
  #seen: Seen | undefined;
  /** Whether this process has marked that some of them are others, until the right ones are back. */
  #isMarked = false;

  /** Called when SQLite has just opened all of them, with the file that was there before. */
  constructor(
    readonly path: string,
    before: string,
    private readonly peers: FilePeers = noPeers(),
  ) {
    const [file, log, index] = placedNames(path);
    this.#real = log.slice(0, -'-wal'.length);
    this.#index = new LogIndex(index);
    this.#content = new Content(file);
    this.#opened = this.#look();
    if (this.#opened.split(' ')[3] !== before) throw movedError(path);
    peers.tellOpened(this.#opened);
    this.#timer = setInterval(() => this.#watchAgain(), lookedEvery).unref();
  }

  /** @throws DriverAdapterError if one is not there any more; if it comes back, all is well again. Or as `requireContent` */
  require(): void {
    if (this.#watch() !== this.#opened) throw movedError(this.path);
    this.requireContent();
  }

  /** @throws DriverAdapterError if one was seen to be overwritten or truncated, which nothing mends */
  requireContent(): void {
    if (this.peers.isOverwritten()) throw overwrittenError(this.path);
  }

  /**
   * Whether the database file was overwritten, or is not at its place: closing SQLite would copy the log into a file that it does
   * not belong to, and remove it. Where only a log was removed, closing saves everything in the file.
   */
  isLost(): boolean {
    return this.peers.isOverwritten() || this.#isElsewhere(this.#watch());
  }

  /** To be called when SQLite has closed them: what it has saved in the file needs no mark any more. */
  close(isLost: boolean): void {
    clearInterval(this.#timer);
    if (!isLost) this.#unmark();
  }

  #isElsewhere(found: string): boolean {
    const [named, , , file] = found.split(' ');
    const [wasNamed, , , was] = this.#opened.split(' ');
    return named !== wasNamed || file !== was;
  }

  /** Looks, and marks files that must not be opened together. Returns what `#look` does. */
  #watch(): string {
    const found = this.#look();
    if (found === this.#opened) this.#unmark();
    else if (!this.#isMarked && this.#isDivided()) this.#isMarked = markLost(this.#real);
    return found;
  }

  /** A second later. A mark is made anew, by whose time a restore sees that this process still runs. */
  #watchAgain(): void {
    if (!this.peers.isOverwritten()) this.#watch();
    if (this.#isMarked || this.peers.isOverwritten()) markLost(this.#real);
  }

  #unmark(): void {
    if (this.#isMarked) this.#isMarked = unmarkLost(this.#real);
  }

  /** Whether some of the files are those of this process and others are not, or are gone: who opened them would mix the two. */
  #isDivided(): boolean {
    const opened = this.#opened.split(' ').slice(3);
    try {
      const found = ['', '-wal', '-shm'].map((ending) => statSync(this.#real + ending, { throwIfNoEntry: false }));
      const isOurs = found.map((each, n) => identityOf(each) === opened[n]);
      return found[0] !== undefined && isOurs.includes(true) && isOurs.includes(false);
    } catch {
      return false; // They may not be looked at.
    }
  }

  #isOverwritten(): void {
    this.peers.tellOverwritten();
    markLost(this.#real);
  }

  /** Notes whether one was overwritten. Returns which files are there, or why that cannot be seen; it never throws. */
  #look(): string {
    try {
      return this.#compare();
    } catch (error) {
      return String(error);
    }
  }

  #compare(): string {
    const before = this.#index.read();
    const { identities, file, log } = filesAt(this.path);
    if (!file || !log || identities !== (this.#opened ?? identities)) return identities;
    const isWritten = file.mtimeMs !== this.#seen?.written;
    const hasCheckpoint = before.checkpoints !== this.#seen?.checkpoints;
    const isShort = log.size < before.logBytes;
    if (!isWritten && !hasCheckpoint && !isShort && this.#seen?.content !== undefined) return identities;
    const content = this.#content.digest(file.size);
    const changes = this.#content.changes();
    const after = this.#index.read();
    const isQuiet = !after.isCheckpointing && after.checkpoints === before.checkpoints;
    // A checkpoint, and who shortens the log, say so in the index before they do it.
    if (isQuiet && !hasCheckpoint) {
      const isOther = isWritten && this.#seen?.content !== content;
      if (isOther || log.size < after.logBytes) this.#isOverwritten();
    }
    if (changes < (this.#seen?.changes ?? 0)) this.#isOverwritten();
    const { checkpoints } = before;
    this.#seen = {
      written: file.mtimeMs,
      checkpoints,
      changes,
      content: isQuiet && !before.isCheckpointing ? content : undefined,
    };
    return identities;
  }
}

/** For a process that shares the file with none that it can talk to. */
function noPeers(): FilePeers {
  let isOverwritten = false;
  return {
    isOverwritten: () => isOverwritten,
    tellOverwritten: () => {
      isOverwritten = true;
    },
    tellOpened: () => {},
  };
}

/** Pages of which the content of a file is known: all of a small file, and as many of a large one. */
const knownPages = 256;
const pageBytes = 4096;

/** The content of the database file, as it is without its log. */
class Content {
  readonly #file: number;

  /** The file stays open until the process ends, as in `LogIndex`. */
  constructor(path: string) {
    this.#file = openSync(path, 'r');
  }

  digest(size: number): string {
    const hash = createHash('sha1').update(String(size));
    const page = Buffer.alloc(pageBytes);
    const pages = Math.ceil(size / pageBytes);
    for (let n = 0; n < Math.min(pages, knownPages); n++) {
      const number = pages <= knownPages ? n : Math.floor((n * (pages - 1)) / (knownPages - 1));
      hash.update(page.subarray(0, readSync(this.#file, page, 0, pageBytes, number * pageBytes)));
    }
    return hash.digest('base64');
  }

  /** The counter in its header (https://www.sqlite.org/fileformat2.html#file_change_counter); -1 if it is no database any more. */
  changes(): number {
    const header = Buffer.alloc(28);
    readSync(this.#file, header, 0, header.length, 0);
    return header.toString('latin1', 0, 16) === 'SQLite format 3\0' ? header.readUInt32BE(24) : -1;
  }
}

/** All of them are there while a process has the database open. SQLite keeps its logs beside the file to which a link leads. */
function placedNames(path: string): [file: string, log: string, index: string] {
  const file = realpathSync(path);
  return [path, `${file}-wal`, `${file}-shm`];
}

/** Which files are there, by device and inode: first what has the names, then to what they lead, each empty if there is none. */
function filesAt(path: string) {
  const names = placedNames(path);
  const found = names.map((name) => statSync(name, { throwIfNoEntry: false }));
  // Who opens a link that stands where the file was looks for the logs beside the file to which it leads.
  const named = names.map((name) => lstatSync(name, { throwIfNoEntry: false }));
  return { identities: [...named, ...found].map(identityOf).join(' '), file: found[0], log: found[1] };
}

/** By device and inode; empty if there is none. */
export const identityOf = (found: Stats | undefined): string => (found ? `${found.dev}:${found.ino}` : '');

/**
 * With a log of its own, a process would overwrite what others write.
 * @throws DatabaseStartError if one is missing, or if they are not those that others have open
 */
export function requirePlaced(path: string, opened: string | undefined): void {
  const gone = existsSync(path) ? opened !== undefined && placedNames(path).find((name) => !existsSync(name)) : path;
  if (gone) throw new DatabaseStartError(`The database file ${gone} is gone. ${whatToDo}`);
  if (opened === undefined || filesAt(path).identities === opened) return;
  throw new DatabaseStartError(
    `The database file ${path}, its -wal or its -shm is not the one that others have open. ${whatToDo}`,
  );
}

const movedError = (path: string) =>
  placeError(
    'SQLITE_READONLY_DBMOVED',
    `${path}, its -wal or its -shm was removed, moved or replaced, or may not be looked at any more, while this process has it open, so nothing is written. ` +
      'What was acknowledged is only in this process: before you end it, read "A database file that is gone" in docs/operations.md',
  );

const overwrittenError = (path: string) =>
  placeError(
    'SQLITE_CORRUPT_OVERWRITTEN',
    `${path} or its -wal was truncated or overwritten by another program while this process has it open, so nothing is read ` +
      'or written. Stop the gateway and restore a backup: "A database file that is gone" in docs/operations.md',
  );

/** With SQLite's own code for a file that was moved, which it finds out only without a write-ahead log, or one of ours. */
function placeError(originalCode: string, message: string): DriverAdapterError {
  return new DriverAdapterError({ originalCode, originalMessage: message, kind: 'sqlite', extendedCode: 8, message });
}

/** Bytes before the first page of a write-ahead log, and before each page (https://www.sqlite.org/fileformat2.html#walformat). */
const logHeader = 32;
const frameHeader = 24;

/** What the index of a write-ahead log says at a moment. */
interface LogState {
  /** Changes with every checkpoint that has written into the database file. */
  checkpoints: string;
  /** Whether a checkpoint may be writing now. */
  isCheckpointing: boolean;
  /** Bytes of the log that are in use. */
  logBytes: number;
}

/** Reads the beginning of the file `-shm`, whose form is the same in all versions (https://www.sqlite.org/walformat.html#walidxfmt). */
export class LogIndex {
  readonly #file: number;
  // In the byte order of the machine, as SQLite writes them.
  readonly #words = new Uint32Array(33);
  readonly #halves = new Uint16Array(this.#words.buffer);

  /** The file stays open until the process ends: closing it would release the locks that SQLite holds on it in this process. */
  constructor(path: string) {
    this.#file = openSync(path, 'r');
  }

  read(): LogState {
    readSync(this.#file, this.#words, 0, this.#words.byteLength, 0);
    const [frames = 0, copied = 0, toCopy = 0] = [this.#words[4], this.#words[24], this.#words[32]];
    // 1 stands for 65,536.
    const pageSize = this.#halves[7] === 1 ? 65_536 : (this.#halves[7] ?? 0);
    return {
      checkpoints: `${this.#words[8]}:${this.#words[9]}:${copied}`,
      isCheckpointing: copied !== toCopy,
      logBytes: frames === 0 ? 0 : logHeader + frames * (frameHeader + pageSize),
    };
  }
}
