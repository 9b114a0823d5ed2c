/** The turns in which streams read records: each key gets as many as any other, however many streams it has. */
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { FairQueue } from '../database/fair-queue.js';

/** Reads at the same time, of all keys and of one. */
const atOnce = { all: 16, ofKey: 8 };
/** Milliseconds of reading after which requests get a turn: SQLite reads while nothing else happens. */
const longest = 10;

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

  take<Result>(keyId: string, read: () => Promise<Result>): Promise<Result> {
    return this.#queue.take(undefined, () => ({ done: this.#afterPause(read) }), keyId);
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
  return new Error('Reads of streams wait for as long as it takes');
}
