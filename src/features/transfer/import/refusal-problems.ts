import { GatewayError } from '../../../model/errors/gateway-error.js';
import type { Problem } from '../../../model/errors/problem.js';

/** The problems of a document whose writing was refused; undefined for any other error. */
export function problemsIn(error: unknown): readonly Problem[] | undefined {
  if (!(error instanceof GatewayError) || !refusing.includes(error.code)) return undefined;
  const { problems } = error.details;
  if (problems?.length) return problems.map((problem) => ({ ...problem, path: withoutInput(problem.path) }));
  return [{ path: [], code: 'parameter_invalid', message: error.message }];
}

const refusing = ['BAD_USER_INPUT', 'INVALID_STATE', 'VERSION_CONFLICT', 'NOT_FOUND', 'QUERY_TOO_COMPLEX'];

const withoutInput = ([first, ...path]: Problem['path']): Problem['path'] =>
  first === undefined || first === 'input' ? path : [first, ...path];
