import type { Problem } from '../model/errors/problem.js';
import type { RequiredParent, Step } from './step.js';

/** What a mutation writes, in order. */
export interface Plan {
  steps: readonly Step[];
  /** Known problems of the input: nothing is then written, and they are reported together with those of the rules. */
  problems?: readonly Problem[];
  /**
   * The problems that the input rules have found in the whole input; undefined if these rules still have to be asked.
   */
  inputProblems?: readonly Problem[];
  /** The parent that the new line must have; it is looked for before rules that look at records are asked. */
  requires?: RequiredParent | undefined;
  /** Whether the caller passed a list of records, so that problems refer to its items. */
  isList?: boolean;
  /** Called if there are no problems, before anything is written; an error it throws is the answer. */
  admit?: (() => void) | undefined;
}
