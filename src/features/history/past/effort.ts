/**
 * Limits how much one request may undo, and compute on lines of the past. They are compared in this process, where no
 * deadline could stop the work.
 */
import type { RequestContext } from '../../../change/context.js';
import { createSerialQueue } from '../../../database/queues.js';
import { mostUndoneBytes } from '../../../model/limits.js';
import { tooManyComparisons } from '../history-errors.js';
import type { PastDocument } from './past-document.js';

/** Comparisons of values; going through ten lines counts as one. So many take about half a second. */
export const mostComparisons = 1_000_000;

export class Effort {
  #left = mostComparisons;
  /** Bytes of values that may still be undone, for all records of the request. */
  bytesLeft = mostUndoneBytes;
  /** Reads entries of the journal one record after the other, so that each knows what is left and what is held. */
  readonly inTurn = createSerialQueue();

  /** The documents that several of its states are of: those of lines. */
  readonly documents = new Map<string, Promise<PastDocument | null>>();

  /** `refuse` refuses the request as a whole: otherwise each list that could not be computed is an error of its own. */
  constructor(private readonly refuse: (error: Error) => Error) {}

  /** @throws QUERY_TOO_COMPLEX */
  spend(comparisons: number): void {
    this.#left -= comparisons;
    if (this.#left < 0) throw this.refuse(tooManyComparisons(mostComparisons));
  }

  /** Counts a comparison with a value; that of a long text takes as long as many others. */
  compare(value: unknown): void {
    this.spend(typeof value === 'string' ? 1 + value.length / 100 : 1);
  }
}

const efforts = new WeakMap<RequestContext, Effort>();

/** That of a request. */
export function effortOf(context: RequestContext): Effort {
  const effort = efforts.get(context) ?? new Effort((error) => context.meter?.refuse(error) ?? error);
  efforts.set(context, effort);
  return effort;
}
