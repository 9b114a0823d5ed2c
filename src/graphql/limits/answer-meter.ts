import { GraphQLError } from 'graphql';
import { errors } from '../../model/errors/errors.js';
import type { Weight } from './operation-cost.js';

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

  /** Thrown in place of all further values, if the answer has to be given in spite of its errors. */
  #further: GraphQLError | undefined;

  /** `limit` is in bytes; `isGiven` says that the answer is given with any number of errors, because changes were made. */
  constructor(
    readonly limit: number,
    private readonly isGiven = false,
  ) {
    this.#left = limit / leastValue;
  }

  /**
   * Ends the operation with the request too. Not by `AbortSignal.any`: Node keeps what that returns for as long as
   * somebody listens, and the executor listens without an end, so that the memory of the request would never be freed.
   */
  endWith(request: AbortSignal): void {
    const end = () => this.#controller.abort(request.reason);
    if (request.aborted) end();
    else request.addEventListener('abort', end, { once: true });
  }

  /**
   * Counts one value. @throws `answer_too_large` when there are too many; `query_too_complex` in place of a value that
   * is left out
   */
  value(isRoot = false): void {
    if (this.#further && !isRoot) throw this.#further;
    if (--this.#left < 0) throw this.refuse(errors.answerTooLarge(this.limit));
  }

  /**
   * Counts one error. Those of a mutation's root fields are always reported. @throws `query_too_complex` when there are
   * too many; always the same error, because locating each one in the operation takes longer than creating it
   */
  error(isRoot = false): void {
    if (this.isGiven && isRoot) return;
    if (++this.#errors <= mostErrors) return;
    if (!this.isGiven) throw this.refuse(errors.tooManyErrors(mostErrors));
    const originalError = errors.furtherErrors(mostErrors);
    this.#further ??= new GraphQLError(originalError.message, { path: [], originalError });
    throw this.#further;
  }

  /** Why the operation is refused, once there is too much. */
  get refusal(): Error | undefined {
    return this.#refusal;
  }

  /** Stops the operation. It is refused whole, for the first reason given; that reason is returned. */
  refuse(error: Error): Error {
    this.#refusal ??= error;
    this.#controller.abort(this.#refusal);
    return this.#refusal;
  }

  /** Aborted when there are too many values or errors, or the request has ended. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }
}

/** Bytes of the longest possible text: the largest body of a request. */
const largestText = 1024 * 1024;

/**
 * Whether the answer of an operation could exceed `limit` bytes with any data: it has lists of objects, or more values than
 * fit if each were as long as possible. False is certain, true is not.
 */
export const mayBeLarge = ({ cost, hasLists }: Weight, limit: number): boolean =>
  hasLists || cost.requested > limit / largestText;
