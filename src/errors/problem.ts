/** A problem with one value of the input. */
export interface Problem {
  /**
   * The location: names and 0-based positions from the operation's argument inwards, such as `['input',
   * 'consumedItems', 2, 'qty']`.
   */
  path: (string | number)[];
  code: ProblemCode;
  /**
   * What is wrong and what to send, as the end of a sentence that begins with the name: `must be a number, not a
   * string`.
   */
  message: string;
  /** Further details for programs, with camelCase names, such as the `missing` and `unexpected` ids of a reorder. */
  details?: Record<string, unknown>;
  /** Whether a limit is exceeded, beyond which the input is not checked. */
  isTooMuch?: true;
  /** Whether the value is passed to another field of the operation than the refused one. */
  isElsewhere?: true;
}

/** Kinds of problems; each is also a code of REST. */
export type ProblemCode =
  | 'parameter_missing'
  | 'parameter_unknown'
  | 'parameter_invalid'
  | 'parameter_immutable'
  | 'resource_missing'
  | 'reorder_mismatch'
  | 'version_conflict'
  | 'invalid_state';

/** The most problems reported, so that the answer to a hostile body is not longer than the body. */
export const mostProblems = 50;
