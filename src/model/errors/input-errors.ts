import { invalidInput, restRows } from './error-rows.js';
import { type ErrorRow, GatewayError } from './gateway-error.js';
import { invalid, listedProblems, type Problem } from './problem.js';

/** Values of the input cannot be used, or records of a list cannot be changed; each has its problem. */
export const inputErrors = {
  /**
   * Invalid input; `problems` are the invalid values, of which the first ones are reported. The first sets the reason.
   */
  badInput: (problems: readonly Problem[]) =>
    refusedFor(problems, invalidInput, 'The input cannot be used; `errors` says what is wrong with it.'),

  /** One value that cannot be used. */
  invalidAt: (path: Problem['path'], message: string) => inputErrors.badInput([invalid(path, message)]),

  /**
   * Records of a list that cannot be changed, the first of which `problems` lists. The first sets the code and the reason.
   */
  badItems: (problems: readonly Problem[]) => {
    const code = problems[0]?.code;
    const row = code === 'version_conflict' || code === 'invalid_state' ? restRows[code] : invalidInput;
    return refusedFor(problems, row, 'Nothing was changed; `errors` lists the records that cannot be changed.');
  },
};

const refusedFor = (problems: readonly Problem[], row: ErrorRow, message: string): GatewayError =>
  new GatewayError(problems[0]?.code ?? 'parameter_invalid', row, message, { problems: listedProblems(problems) });
