/** The turns in which streams read records: each key gets as many as any other, however many streams it has. */
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { FairQueue } from '../../database/queues/fair-queue.js';

/** Reads at the same time, of all keys and of one. */
const atOnce = { all: 16, ofKey: 8 };
/** Milliseconds of reading after which requests get a turn: SQLite reads while nothing else happens. */
const longest = 10;
/** Bytes from which a result is large, and the milliseconds for which one read may keep the next large one waiting. */
const large = 128 * 1024;
const longestAlone = 1_000;

export class ReadTurns {
  readonly #queue = new FairQueue(
    {
      atOnce: atOnce.all,
      perCaller: atOnce.ofKey,
      waiting: Number.POSITIVE_INFINITY,
      waitMillis: Number.POSITIVE_INFINITY,
    },
    { busy: unexpected, over: unexpected },
  );
  /** Milliseconds of reading since requests last had a turn. */
  #readFor = 0;
  #pausing: Promise<void> | undefined;
  /** About the size of the last results. Until one is known, they count as large. */
  #recent = large;
  #lastAlone: Promise<void> = Promise.resolve();

  /**
   * `sizeOf` says how many bytes a result has. While results are large they are read one at a time: PostgreSQL would send
   * several together, and requests would wait until all of them are received and made into events.
   */
  take<Result>(keyId: string, read: () => Promise<Result>, sizeOf: (result: Result) => number): Promise<Result> {
    const measured = async () => {
      const result = await this.#afterPause(read);
      this.#recent = Math.max(sizeOf(result), this.#recent / 2);
      return result;
    };
    const begin = () => (this.#recent >= large ? this.#alone(measured) : measured());
    return this.#queue.take(undefined, () => ({ done: begin() }), keyId);
  }

  async #alone<Result>(read: () => Promise<Result>): Promise<Result> {
    const before = this.#lastAlone;
    let resolve = () => {};
    this.#lastAlone = new Promise((done) => {
      resolve = done;
    });
    await before;
    // A database that takes long for one of them does not keep the others waiting.
    const tooLong = setTimeout(resolve, longestAlone).unref();
    try {
      return await read();
    } finally {
      clearTimeout(tooLong);
      resolve();
    }
  }

  async #afterPause<Result>(read: () => Promise<Result>): Promise<Result> {
    while (this.#readFor > longest) await this.#pause();
    const from = performance.now();
    const done = read();
    this.#readFor += performance.now() - from;
    return done;
  }

  async #pause(): Promise<void> {
    this.#pausing ??= turnOfLoop().then(() => {
      this.#readFor = 0;
      this.#pausing = undefined;
    });
    await this.#pausing;
  }
}

function unexpected(): Error {
  return new Error('Reads of streams wait without a limit and are never refused');
}
