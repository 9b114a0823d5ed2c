/**
 * How a statement says that its answer would pass the limit: by failing with this mark in its message, whichever database,
 * driver or process the error comes through.
 */
const mark = 'answer_too_large:';

/** The message of such a failure. `limit` is in bytes. */
export const answerLimitMark = (limit: number): string => `${mark}${limit}`;

/** The limit that was passed; undefined where the error is any other. */
export function answerLimitIn(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const limit = /answer_too_large:(\d+)/.exec(error.message)?.[1];
  return limit === undefined ? answerLimitIn(error.cause) : Number(limit);
}

/** Bytes a line counts at least: what it takes in memory does not end with its text. */
export const leastLine = 128;

/** Counts the bytes of one statement's answer, while it is made. */
export class AnswerCount {
  #rows = 0;
  #lines = 0;

  /** A statement begins. */
  begin(): void {
    this.#rows = 0;
    this.#lines = 0;
  }

  /** So many more, in lines. @throws where that is more than the limit */
  line(bytes: number, limit: number): 1 {
    this.#lines += Math.max(bytes, leastLine);
    return this.#check(limit);
  }

  /** So many more, in a row, which holds the lines counted since the last. @throws as `line` */
  row(bytes: number, limit: number): 1 {
    this.#rows += bytes;
    this.#lines = 0;
    return this.#check(limit);
  }

  #check(limit: number): 1 {
    if (this.#rows + this.#lines > limit) throw new Error(answerLimitMark(limit));
    return 1;
  }
}
