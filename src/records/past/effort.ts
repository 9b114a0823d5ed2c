/**
 * How much one request may compute on lines of the past. They are compared in this process, between other requests, where no
 * deadline could stop it.
 */
import { errors } from '../../errors.js';

/** Comparisons of values, and lines gone through ten at a time; about half a second. */
export const mostComparisons = 1_000_000;

export class Effort {
  #left = mostComparisons;

  /** @throws QUERY_TOO_COMPLEX */
  spend(comparisons: number): void {
    this.#left -= comparisons;
    if (this.#left < 0) throw errors.tooManyComparisons(mostComparisons);
  }

  /** Counts a comparison with a value; that of a long text takes as long as many others. */
  compare(value: unknown): void {
    this.spend(typeof value === 'string' ? 1 + value.length / 100 : 1);
  }
}
