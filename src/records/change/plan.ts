import type { Problem } from '../../errors.js';
import type { Insert } from './insert.js';
import type { Forget, Raise } from './parent.js';
import type { Remove } from './remove.js';
import type { Shift } from './shift.js';
import type { Update } from './update.js';

/** Each is one statement, or as many as its values need. */
export type Step = Insert | Update | Remove | Shift | Raise | Forget;

/** What a mutation writes, in the order in which it is written. */
export interface Plan {
  steps: readonly Step[];
  /** What is known to be wrong with the input: then nothing is written, and all of it is told with what the rules find. */
  problems?: readonly Problem[];
  /** What the rules that look at the input alone have found in all that was given; undefined where they are to be asked. */
  inputProblems?: readonly Problem[];
  /** Whether the caller named several records, so that problems are told as problems of the items of a list. */
  isList?: boolean;
  /** Asked when nothing is wrong, before anything is written; what it throws is the answer. */
  admit?: (() => void) | undefined;
}
