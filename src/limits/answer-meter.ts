import { errors } from '../errors.js';

/**
 * The bytes that each value counts, the same as a line counts in SQL. Resolvers take longer for many small values than
 * for a few large ones, and block the event loop meanwhile.
 */
const leastValue = 128;

/**
 * Counts the values that resolvers put into an answer, and stops them when the answer exceeds its limit. The bytes of
 * texts are not counted here, because an answer may repeat one text many times without storing it twice.
 */
export class AnswerMeter {
  readonly #controller = new AbortController();
  #left: number;

  /** `limit` is in bytes. */
  constructor(readonly limit: number) {
    this.#left = limit / leastValue;
  }

  /** Counts one value. @throws `answer_too_large` when there are too many */
  value(): void {
    if (--this.#left >= 0) return;
    const error = errors.answerTooLarge(this.limit);
    this.#controller.abort(error);
    throw error;
  }

  /** Aborted when there are too many values. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }
}
