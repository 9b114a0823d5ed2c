import { createHash } from 'node:crypto';
import { existsSync, fstatSync, lstatSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { DatabaseStartError } from '../database-problem.js';
import type { FilePeers } from '../direct-access.js';
import { isShared, markLost, movedError, overwrittenError, unmarkLost, whatToDo } from './lost-mark.js';

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

/** What the files are when they are closed: all those of this process, some only, or not the one that all is to be saved in. */
export type Placed = 'whole' | 'divided' | 'lost';

/** What became of files when they were closed: all is in the one file; it is, but others have it open; or that is not certain. */
export type Closed = 'saved' | 'shared' | 'unsaved';

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
  readonly #log: Log;
  readonly #content: Content;
  readonly #timer: NodeJS.Timeout;
  #seen: Seen | undefined;
  /** Whether this process has marked that some of them are others, until the right ones are back. */
  #isMarked = false;
  /** Whether there was no database file a second ago: a folder that is being removed with all that is in it is gone by then. */
  #isGone = false;

  /** Called when SQLite has just opened all of them, with the file that was there before. */
  constructor(
    readonly path: string,
    before: string,
    private readonly peers: FilePeers = noPeers(),
  ) {
    const [file, log, index] = placedNames(path);
    this.#real = log.slice(0, -'-wal'.length);
    this.#index = new LogIndex(index);
    this.#log = new Log(log);
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

  /** To be called after a commit: what was truncated meanwhile does not hold it. @throws as `requireContent` */
  readonly requireLog = (): void => {
    this.#noteLog();
    this.requireContent();
  };

  /**
   * To be asked before they are closed. Where the database file was overwritten, or is not at its place, closing SQLite would copy
   * the log into a file that it does not belong to, and remove it.
   */
  ending(): Placed {
    this.#isGone = !existsSync(this.#real);
    const found = this.#watch();
    if (this.peers.isOverwritten() || this.#isElsewhere(found)) return 'lost';
    return found === this.#opened ? 'whole' : 'divided';
  }

  /** To be called when SQLite has closed them: what is proven to be in the file needs no mark any more. */
  close(saved: Closed): void {
    clearInterval(this.#timer);
    if (saved === 'saved') this.#unmark();
    else if (saved === 'shared' && this.#isMarked) markLost(this.#real, isShared);
  }

  #isElsewhere(found: string): boolean {
    const [named, , , file] = found.split(' ');
    const [wasNamed, , , was] = this.#opened.split(' ');
    return named !== wasNamed || file !== was;
  }

  /** Looks, and marks files that must not be opened. Returns what `#look` does. */
  #watch(): string {
    const found = this.#look();
    if (found === this.#opened && !this.peers.isOverwritten()) this.#unmark();
    else if (!this.#isMarked) this.#mark();
    return found;
  }

  /** A second later. A mark is made anew, by whose time a restore sees that this process still runs. */
  #watchAgain(): void {
    if (!this.peers.isOverwritten()) this.#watch();
    if (this.#isMarked || this.peers.isOverwritten()) this.#mark();
    this.#isGone = !existsSync(this.#real);
  }

  #unmark(): void {
    if (this.#isMarked) this.#isMarked = unmarkLost(this.#real);
  }

  /**
   * Only beside files that this process has opened: who opened what is there would mix them with others, or with a log that they do
   * not belong to. Or where nothing is any more, and a start would make a new database.
   */
  #mark(): void {
    const opened = (this.#opened ?? '').split(' ').slice(3);
    try {
      const found = ['', '-wal', '-shm'].map((ending) => statSync(this.#real + ending, { throwIfNoEntry: false }));
      const isOurs = found.map((each, n) => each !== undefined && identityOf(each) === opened[n]);
      const isMixed = isOurs.includes(true) && (this.peers.isOverwritten() || isOurs.includes(false));
      if (found[0] ? isMixed : this.#isGone && !found[1]?.size) this.#isMarked = markLost(this.#real);
    } catch {
      // They may not be looked at.
    }
  }

  #tellOverwritten(): void {
    this.peers.tellOverwritten();
    this.#mark();
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
    const before = this.#noteLog();
    const { identities, file } = filesAt(this.path);
    if (!file || identities !== (this.#opened ?? identities)) return identities;
    const isWritten = file.mtimeMs !== this.#seen?.written;
    const hasCheckpoint = before.checkpoints !== this.#seen?.checkpoints;
    if (!isWritten && !hasCheckpoint && this.#seen?.content !== undefined) return identities;
    const content = this.#content.digest(file.size);
    const changes = this.#content.changes();
    const after = this.#index.read();
    const isQuiet = !after.isCheckpointing && after.checkpoints === before.checkpoints;
    // A checkpoint says so in the index before it writes.
    if (isQuiet && !hasCheckpoint && isWritten && this.#seen?.content !== content) this.#tellOverwritten();
    if (changes < (this.#seen?.changes ?? 0)) this.#tellOverwritten();
    const { checkpoints } = before;
    this.#seen = {
      written: file.mtimeMs,
      checkpoints,
      changes,
      content: isQuiet && !before.isCheckpointing ? content : undefined,
    };
    return identities;
  }

  /**
   * Notes whether the log was cut. SQLite makes the log longer before the index says so, and gives the index other salts before it
   * makes the log shorter or begins it anew. So all that the index said before a look at the log is there, unless its salts are
   * others after that look. Returns what it said before.
   */
  #noteLog(): LogState {
    const before = this.#index.read();
    const isCut = !this.#log.holds(before) && this.#index.read().salts === before.salts;
    if (isCut) this.#tellOverwritten();
    return before;
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
  return { identities: [...named, ...found].map(identityOf).join(' '), file: found[0] };
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

/** Bytes before the first page of a write-ahead log, and before each page (https://www.sqlite.org/fileformat2.html#walformat). */
const logHeader = 32;
const frameHeader = 24;

type LogState = ReturnType<LogIndex['read']>;

/** Reads the beginning of the file `-shm`, whose form is the same in all versions (https://www.sqlite.org/walformat.html#walidxfmt). */
export class LogIndex {
  readonly #file: number;
  // In the byte order of the machine, as SQLite writes them.
  readonly #words = new Uint32Array(33);
  readonly #halves = new Uint16Array(this.#words.buffer);
  readonly #bytes = Buffer.from(this.#words.buffer);

  /** The file stays open until the process ends: closing it would release the locks that SQLite holds on it in this process. */
  constructor(path: string) {
    this.#file = openSync(path, 'r');
  }

  /** What it says at this moment. */
  read() {
    readSync(this.#file, this.#words, 0, this.#words.byteLength, 0);
    const [frames = 0, copied = 0, toCopy = 0] = [this.#words[4], this.#words[24], this.#words[32]];
    // 1 stands for 65,536.
    const pageSize = this.#halves[7] === 1 ? 65_536 : (this.#halves[7] ?? 0);
    /** They change when the log is begun anew. */
    const salts = this.#bytes.toString('latin1', 32, 40);
    // It is there twice, and whoever writes it changes one after the other.
    const isComplete = this.#bytes.compare(this.#bytes, 48, 96, 0, 48) === 0;
    return {
      /** Changes with every checkpoint that has written into the database file. */
      checkpoints: `${salts}:${copied}`,
      /** Whether a checkpoint may be writing now. */
      isCheckpointing: copied !== toCopy,
      salts,
      /** How many are in use, each with a page; 0 also if the index is being written. */
      frames: isComplete ? frames : 0,
      frameBytes: frameHeader + pageSize,
    };
  }
}

/** The write-ahead log: its header and each frame have the salts that its index has. */
class Log {
  readonly #file: number;
  readonly #salts = Buffer.alloc(8);
  /** What it held when it was looked at last. */
  #held: LogState | undefined;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
  }

  /**
   * Whether all that is in use is there. Behind a cut, the next commit makes the log long enough again, with nothing between: so the
   * header and the last frame before that commit are read, too.
   */
  holds(state: LogState): boolean {
    const { frames, frameBytes, salts } = state;
    const known = this.#held?.salts === salts ? this.#held.frames : frames;
    this.#held = state;
    if (frames === 0) return true;
    const isLong = fstatSync(this.#file).size >= logHeader + frames * frameBytes;
    return (
      isLong &&
      this.#saltsAt(16) === salts &&
      this.#saltsAt(logHeader + Math.max(0, known - 1) * frameBytes + 8) === salts
    );
  }

  #saltsAt(position: number): string {
    const read = readSync(this.#file, this.#salts, 0, 8, position);
    return this.#salts.toString('latin1', 0, read);
  }
}
