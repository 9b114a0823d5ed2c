import { errors } from '../errors.js';

/**
 * The bytes that each value counts, the same as a line counts in SQL. Resolvers take longer for many small values than
 * for a few large ones, and block the event loop meanwhile.
 */
const leastValue = 128;

/** The most errors of an answer: each takes longer than a value, and names its path. */
export const mostErrors = 100;

/**
 * Counts the values and errors that resolvers put into an answer, and stops them when it exceeds a limit. The bytes of
 * texts are not counted here, because an answer may repeat one text many times without storing it twice.
 */
export class AnswerMeter {
  readonly #controller = new AbortController();
  #left: number;
  #errors = 0;
  #refusal: Error | undefined;

  /** `limit` is in bytes. */
  constructor(readonly limit: number) {
    this.#left = limit / leastValue;
  }

  /** Counts one value. @throws `answer_too_large` when there are too many */
  value(): void {
    if (--this.#left < 0) throw this.#stop(errors.answerTooLarge(this.limit));
  }

  /** Counts one error. @throws `query_too_complex` when there are too many */
  error(): void {
    if (++this.#errors > mostErrors) throw this.#stop(errors.tooManyErrors(mostErrors));
  }

  /** Why the operation is refused, once there is too much. */
  get refusal(): Error | undefined {
    return this.#refusal;
  }

  #stop(error: Error): Error {
    this.#refusal ??= error;
    this.#controller.abort(this.#refusal);
    return this.#refusal;
  }

  /** Aborted when there are too many values or errors. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }
}
