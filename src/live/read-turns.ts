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
  #readFor = 0;

  take<Result>(keyId: string, read: () => Promise<Result>): Promise<Result> {
    return this.#queue.take(undefined, () => ({ done: this.#thenPause(read) }), keyId);
  }

  async #thenPause<Result>(read: () => Promise<Result>): Promise<Result> {
    const from = performance.now();
    const done = read();
    this.#readFor += performance.now() - from;
    const result = await done;
    if (this.#readFor > longest) {
      this.#readFor = 0;
      await turnOfLoop();
    }
    return result;
  }
}

function unexpected(): Error {
  return new Error('Reads of streams wait for as long as it takes');
}
