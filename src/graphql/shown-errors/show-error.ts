import { GraphQLError } from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { answerLimitIn } from '../../database/answer-limit.js';
import { isOutcomeUnknown } from '../../database/commit-outcome.js';
import { adapterErrorOf, databaseProblem } from '../../database/database-problem.js';
import { isStatus } from '../../model/document-status.js';
import { enumName } from '../../model/enum-name.js';
import { errors } from '../../model/errors/errors.js';
import { GatewayError } from '../../model/errors/gateway-error.js';
import type { Problem } from '../../model/errors/problem.js';
import { firstNodes, messageAt, withFewLocations } from './few-locations.js';
import { logFailure } from './log-failure.js';
import { withoutValues } from './without-values.js';

/**
 * Formats an error for a GraphQL client. A `GatewayError` is shown as it is; a failing database is UNAVAILABLE or
 * TIMEOUT; any other exception of a resolver is logged with the request id and masked. GraphQL's own errors about a
 * document are shown without the values they quote.
 */
export function showError(error: GraphQLError, { log }: Pick<RequestContext, 'log'>): GraphQLError {
  const thrown = error.originalError;
  if (!thrown && !(error instanceof GatewayError)) return withFewLocations(withoutValues(error));
  const known = knownError(thrown ?? error);
  logFailure(log, known, { path: error.path });
  const { reason, problems, ...details } = known.details;
  return new GraphQLError(messageAt(problems?.[0] ? sentenceOf(problems[0]) : known.message, error.nodes), {
    nodes: firstNodes(error.nodes),
    path: error.path?.length === 0 ? undefined : error.path,
    originalError: known,
    extensions: {
      code: known.code,
      reason,
      ...shownDetails(details),
      ...(problems ? { errors: problems.map(errorEntryOf) } : {}),
    },
  });
}

/** Actions as the enum `RecordAction` names them, states as `DocumentStatus` does. */
function shownDetails(details: Readonly<Record<string, unknown>> = {}): object {
  const { allowedActions, currentState, expectedState } = details;
  if (!Array.isArray(allowedActions)) return details;
  return {
    ...details,
    ...(currentState === undefined ? {} : { currentState: shownState(currentState) }),
    ...(expectedState === undefined ? {} : { expectedState: shownState(expectedState) }),
    allowedActions: allowedActions.map((action) => enumName(String(action))),
  };
}

/** A text that is no state stays as it is stored. */
export const shownState = <State>(state: State): State | string => (isStatus(state) ? enumName(state) : state);

/** Converts any error to one of the catalogue. */
export function knownError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (isOutcomeUnknown(error)) return errors.outcomeUnknown(error);
  const answerLimit = answerLimitIn(error);
  if (answerLimit !== undefined) return errors.answerTooLarge(answerLimit);
  const problem = databaseProblem(error);
  if (problem === 'timeout') return errors.timeout(error);
  if (problem === 'conflict') return errors.unavailable('busy', error);
  if (problem === 'busy') return errors.unavailable('busy', error, waitIn(error));
  return problem ? errors.unavailable(problem, error) : errors.internal(error);
}

/** What the request has waited for in vain, if its error says so. */
function waitIn(error: unknown): string | undefined {
  if (error instanceof Error && error.message === poolTimeout)
    return 'No connection to the database became free in time';
  return /^The (read|request) has waited .*/.exec(adapterErrorOf(error)?.cause.originalMessage ?? '')?.[0];
}

/** The message of the driver. */
const poolTimeout = 'timeout exceeded when trying to connect';

/** Such as `input.consumedItems[2].itemCode`. */
export function nameOf(path: Problem['path']): string {
  return path.reduce<string>(
    (name, part) => (typeof part === 'number' ? `${name}[${part}]` : name ? `${name}.${part}` : part),
    '',
  );
}

const errorEntryOf = (problem: Problem) => ({
  param: nameOf(problem.path),
  code: problem.code,
  message: sentenceOf(problem),
  more: problem.more,
  ...shownDetails(problem.details),
});

/** What is wrong with a value, as a sentence. Without a path it is about the whole input. */
export const sentenceOf = ({ path, message }: Pick<Problem, 'path' | 'message'>): string =>
  `${path.length === 0 ? 'The input' : `\`${nameOf(path)}\``} ${message}.`.replace(/\?\.$/, '?');
