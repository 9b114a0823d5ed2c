import { openSync, readSync } from 'node:fs';

/** Bytes before the first page of a write-ahead log, and before each page (https://www.sqlite.org/fileformat2.html#walformat). */
const logHeader = 32;
const frameHeader = 24;

/** What the index of a write-ahead log says at a moment. */
export interface LogState {
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
