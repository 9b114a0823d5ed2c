/**
 * Errors that a caller can correct, in the form in which a mutation returns them in its answer (`userErrors`) instead
 * of as errors of GraphQL. Both ways to execute a mutation use it.
 */
import type { RequestContext } from '../../change/context.js';
import { noteErrors } from '../../change/observation.js';
import { type ErrorCode, GatewayError } from '../../model/errors/gateway-error.js';
import type { Problem, ProblemCode } from '../../model/errors/problem.js';
import { type Action, actions, isStatus, type Status } from '../../model/lifecycle.js';
import { sentenceOf } from './show-error.js';

export interface UserError {
  code: ProblemCode;
  /**
   * Names and positions from the argument inwards, such as `['input', 'consumedItems', '2', 'itemCode']`; empty for a
   * problem of another field.
   */
  path: readonly string[];
  /** A sentence for people. */
  message: string;
  /** Where the state of the document does not allow it. */
  currentState?: Status | undefined;
  allowedActions?: Action[] | undefined;
  /** Where the record has another version than was expected. */
  currentVersion?: number | undefined;
}

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
const places: Partial<Record<ErrorCode, Pick<UserError, 'code' | 'path'>>> = {
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
