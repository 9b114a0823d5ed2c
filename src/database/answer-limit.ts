import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * A statement whose answer exceeds the limit fails with this mark in its message. The message is the only part of an
 * error that survives every database, driver and process in between.
 */
const mark = 'answer_too_large:';

/** The message of such an error. `limit` is in bytes. */
export const answerLimitMark = (limit: number): string => `${mark}${limit}`;

/** The exceeded limit in bytes; undefined for any other error. */
export function answerLimitIn(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const limit = /answer_too_large:(\d+)/.exec(error.message)?.[1];
  return limit === undefined ? answerLimitIn(error.cause) : Number(limit);
}

/** The least that a line counts, in bytes: a row in memory takes more than its text. */
export const leastLine = 128;

/** Breaks off a read that holds the event loop for too long, although an index bounds its rows: they are large. */
export class HeavyRead extends Error {}

/** Counts the bytes of one statement's answer while the database builds it. */
export class AnswerCount {
  #rows = 0;
  #lines = 0;
  /** The frames of the lines that the next row contains. */
  #frames = 0;

  /** `heavy` is the number of bytes from which a read is broken off. */
  constructor(private readonly heavy = Number.POSITIVE_INFINITY) {}

  /** Resets the count for a new statement. */
  begin(): void {
    this.#rows = 0;
    this.#lines = 0;
    this.#frames = 0;
  }

  /** Counts the bytes of a line as SQLite writes it, and of its frame (`frameBytes`). @throws when the answer exceeds the limit; `HeavyRead` */
  readonly line = (bytes: number, frame: number, limit: number): 1 => {
    this.#lines += Math.max(bytes + frame, leastLine);
    this.#frames += frame;
    return this.#check(limit);
  };

  /** Counts the bytes of a row, which already contain those of its lines. @throws as `line` */
  readonly row = (bytes: number, frame: number, limit: number): 1 => {
    this.#rows += bytes + frame + this.#frames;
    this.#lines = 0;
    this.#frames = 0;
    return this.#check(limit);
  };

  #check(limit: number): 1 {
    const bytes = this.#rows + this.#lines;
    if (bytes > limit) throw new Error(answerLimitMark(limit));
    if (bytes > this.heavy) throw new HeavyRead();
    return 1;
  }
}

// Limits how much data one request loads. Prisma returns all rows of a query at once and an operation may need many
// queries, so the answer can be measured only after everything is in memory.

/** The answer limit where none is given, in bytes. */
const presumedLimit = 32 * 1024 * 1024;

/** Counts loaded bytes up to the limit. */
export class LoadBudget {
  #left: number;

  constructor(private readonly answerLimit = presumedLimit) {
    // More than the answer, because queries also load columns that are not in it, such as those of conditions.
    this.#left = 2 * answerLimit + 8 * 1024 * 1024;
  }

  /** Counts `bytes` more. @throws when they exceed the limit */
  add(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new Error(answerLimitMark(this.answerLimit));
  }
}

const loads = new AsyncLocalStorage<LoadBudget>();

/** The budget of what is loaded now, if it has a limit. */
export const loadBudget = (): LoadBudget | undefined => loads.getStore();

export const withLoadBudget = <Result>(answerLimit: number, work: () => Result): Result =>
  loads.run(new LoadBudget(answerLimit), work);

/**
 * Runs `work` without counting, because what is read for a change is not part of the answer. Each single result still
 * has its limit.
 */
export const uncounted = <Result>(work: () => Result): Result => loads.exit(work);

/** Counts what was read without Prisma for the answer that is being made, if it has a limit. @throws when it exceeds it */
export const countLoaded = (bytes: number): void => loads.getStore()?.add(bytes);

/** The approximate size of a row in bytes. */
export function bytesOfRow(row: readonly unknown[]): number {
  let bytes = 0;
  for (const value of row) bytes += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
  return bytes;
}

/** Collects all rows. @throws when they exceed `load`; `HeavyRead` when they exceed `heavy` bytes */
export function collectRows<Value>(
  rows: Iterable<Value[]>,
  load: LoadBudget,
  heavy = Number.POSITIVE_INFINITY,
): Value[][] {
  const all: Value[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const ofRow = bytesOfRow(row);
    load.add(ofRow);
    bytes += ofRow;
    if (bytes > heavy) throw new HeavyRead();
    all.push(row);
  }
  return all;
}
