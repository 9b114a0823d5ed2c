import type { IncomingMessage, ServerResponse } from 'node:http';
import { noteRefusal } from '../src/change/observation.js';
import { send } from '../src/gateway/http/answer/send.js';
import { ClientGone } from '../src/gateway/http/read-body.js';
import type { RequestState } from '../src/gateway/http/request-state.js';
import { logFailure } from '../src/graphql/shown-errors/log-failure.js';
import { knownError } from '../src/graphql/shown-errors/show-error.js';
import { toRestError } from './errors.js';

/**
 * Answers a request of REST with the error that it ended in, in the form of REST. An unexpected error is masked, and
 * logged under its request id. Nothing is answered if the client has gone, or if an answer has begun.
 */
export function refuseRest(
  request: IncomingMessage,
  response: ServerResponse,
  visit: RequestState,
  error: unknown,
): void {
  if (error instanceof ClientGone || response.headersSent) return void response.destroy();
  const known = knownError(error);
  noteRefusal(visit.observation, known);
  logFailure(visit.log, known);
  send(response, toRestError(known, { requestId: visit.requestId, accept: request.headers.accept }), visit);
}
