import { errors } from '../errors.js';

/**
 * Bytes a value counts while an answer is put together, as a line counts in SQL: resolvers take longer over very many small
 * values than over few large ones, and everybody else waits meanwhile.
 */
const leastValue = 128;

/**
 * Counts the values of an answer that resolvers put together, and ends their work where there are more than its limit
 * allows. The texts are not counted here: a text is there once, however often an answer names it.
 */
export class AnswerMeter {
  readonly #controller = new AbortController();
  #left: number;

  /** `limit` is in bytes. */
  constructor(readonly limit: number) {
    this.#left = limit / leastValue;
  }

  /** One more. @throws where that is one too many */
  value(): void {
    if (--this.#left >= 0) return;
    const error = errors.answerTooLarge(this.limit);
    this.#controller.abort(error);
    throw error;
  }

  /** Aborted once there are too many. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }
}
