import { GraphQLError } from 'graphql';
import { noteErrors, noteRefusal } from '../../change/observation.js';
import { DocumentRefused } from '../../graphql/operation/trusted-documents.js';
import { knownError, showError } from '../../graphql/shown-errors/show-error.js';
import { type HttpAnswer, send } from './answer/send.js';
import { acceptedBy, errorsOnly, type GraphqlAnswer, wantsCost, withCost } from './graphql-result.js';
import { ClientGone } from './read-body.js';
import type { Visit } from './visit.js';

/**
 * Answers a request to `/graphql` that was refused before execution, in GraphQL's form: `{"errors": [{message,
 * extensions: {code, reason, requestId}}]}`. An unexpected error is masked, and logged under its request id.
 */
export function refuseGraphql(visit: Visit, error: unknown): void {
  const { response } = visit;
  if (error instanceof ClientGone || response.headersSent) return void response.destroy();
  send(visit, refusalOf(visit, error));
}

/**
 * A client that takes nothing but a stream gets what is wrong with its operation as a stream, because such clients do
 * not read other answers (GraphQL over SSE). What is wrong with the request itself is answered with its HTTP status.
 */
function refusalOf(visit: Visit, error: unknown): HttpAnswer {
  const answer = plainRefusal(visit, error);
  const { mediaType, format } = acceptedBy(visit.request);
  if (mediaType || !format || !isOfOperation(error)) return answer;
  return { status: 200, headers: { 'Content-Type': format.type }, body: format.refused(answer.body) };
}

/** Whether the error says what is wrong with the operation, not with the request. */
export const isOfOperation = (error: unknown): boolean =>
  error instanceof DocumentRefused || knownError(error).row.isOfOperation === true;

function plainRefusal(visit: Visit, error: unknown): GraphqlAnswer {
  const { request } = visit;
  const { mediaType = 'application/json' } = acceptedBy(request);
  if (error instanceof DocumentRefused) {
    const codes = error.errors.map(({ extensions }) => extensions.code);
    noteErrors(visit.observation, codes);
    const answer = errorsOnly(error.errors, mediaType, visit.requestId);
    return wantsCost(request) && error.cost ? withCost(answer, error.cost) : answer;
  }
  const known = knownError(error);
  noteRefusal(visit.observation, known);
  const shown = showError(new GraphQLError(known.message, { originalError: known }), visit);
  const answer = errorsOnly([shown], mediaType, visit.requestId);
  if (known.code === 'BAD_USER_INPUT') return answer;
  const { details, row } = known;
  return { ...answer, status: row.status, headers: { ...answer.headers, ...row.headers?.(details) } };
}
