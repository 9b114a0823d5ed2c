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
  line(bytes: number, frame: number, limit: number): 1 {
    this.#lines += Math.max(bytes + frame, leastLine);
    this.#frames += frame;
    return this.#check(limit);
  }

  /** Counts the bytes of a row, which already contain those of its lines. @throws as `line` */
  row(bytes: number, frame: number, limit: number): 1 {
    this.#rows += bytes + frame + this.#frames;
    this.#lines = 0;
    this.#frames = 0;
    return this.#check(limit);
  }

  #check(limit: number): 1 {
    const bytes = this.#rows + this.#lines;
    if (bytes > limit) throw new Error(answerLimitMark(limit));
    if (bytes > this.heavy) throw new HeavyRead();
    return 1;
  }
}
