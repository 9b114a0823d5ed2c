import { type ErrorCode, GatewayError } from './gateway-error.js';
import { listedProblems, type Problem, type ProblemCode } from './problem.js';

/** Values of the input cannot be used, or records of a list cannot be changed; each has its problem. */
export const inputErrors = {
  /**
   * Invalid input; `problems` are the invalid values, of which the first ones are reported. The first sets the reason.
   */
  badInput: (problems: readonly Problem[]) =>
    new GatewayError('BAD_USER_INPUT', 'The input cannot be used; `errors` says what is wrong with it.', {
      reason: problems[0]?.code ?? 'parameter_invalid',
      problems: listedProblems(problems),
    }),

  /**
   * Records of a list that cannot be changed, the first of which `problems` lists. The first sets the code and the reason.
   */
  badItems: (problems: Problem[]) =>
    new GatewayError(
      itemCodes[problems[0]?.code ?? 'parameter_invalid'] ?? 'BAD_USER_INPUT',
      'Nothing was changed; `errors` lists the records that cannot be changed.',
      { reason: problems[0]?.code ?? 'parameter_invalid', problems: listedProblems(problems) },
    ),
};

const itemCodes: Partial<Record<ProblemCode, ErrorCode>> = {
  version_conflict: 'VERSION_CONFLICT',
  invalid_state: 'INVALID_STATE',
};
