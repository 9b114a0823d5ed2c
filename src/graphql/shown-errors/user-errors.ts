/**
 * Errors that a caller can correct, in the form in which a mutation returns them in its answer (`userErrors`) instead
 * of as errors of GraphQL. Both ways to execute a mutation use it.
 */
import type { RequestContext } from '../../change/context.js';
import { noteErrors } from '../../change/observation.js';
import { GatewayError } from '../../model/errors/gateway-error.js';
import type { Problem } from '../../model/errors/problem.js';
import { actions, isStatus } from '../../model/lifecycle.js';
import type { UserError } from '../../model/selection.js';
import { sentenceOf } from './show-error.js';

/** The form for the caller, and for the log; undefined for an error that other arguments would not prevent. */
export function userErrorsOf(
  error: unknown,
  { observation }: Pick<RequestContext, 'observation'>,
): UserError[] | undefined {
  if (!(error instanceof GatewayError)) return undefined;
  const { problems, ...details } = error.details;
  const place = places[error.code];
  const told = problems
    ? problems.map(userErrorOf)
    : place && [{ ...place, message: error.message, ...detailsIn(details) }];
  if (told) noteErrors(observation, [error.code]);
  return told;
}

export const userErrorOf = (problem: Problem): UserError => ({
  code: problem.code,
  path: problem.isElsewhere ? [] : problem.path.map(String),
  message: sentenceOf(problem),
  ...detailsIn(problem.details),
});

/** For refusals that name no argument, the argument that they are about. A state is that of the record itself. */
const places: Partial<Record<string, Pick<UserError, 'code' | 'path'>>> = {
  NOT_FOUND: { code: 'resource_missing', path: ['id'] },
  VERSION_CONFLICT: { code: 'version_conflict', path: ['expectedVersion'] },
  INVALID_STATE: { code: 'invalid_state', path: [] },
};

function detailsIn({ currentState, allowedActions, currentVersion }: Readonly<Record<string, unknown>> = {}) {
  return {
    currentState: isStatus(currentState) ? currentState : undefined,
    allowedActions: Array.isArray(allowedActions) ? actions.filter((each) => allowedActions.includes(each)) : undefined,
    currentVersion: typeof currentVersion === 'number' ? currentVersion : undefined,
  };
}
