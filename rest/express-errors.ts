/** The answers of Express where no other handler answers. */
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { send } from '../src/gateway/http/answer/send.js';
import { requestStateOf } from '../src/gateway/http/request-state.js';
import { logFailure } from '../src/graphql/shown-errors/log-failure.js';
import { knownError } from '../src/graphql/shown-errors/show-error.js';
import { errors } from '../src/model/errors/errors.js';
import { toRestError } from './errors.js';

export const refuseUnknown: RequestHandler = () => {
  throw errors.badRequest('route_not_found');
};

/**
 * Answers any error of the handlers in the REST form; a fault of the server is logged with the request id and masked.
 */
export const answerFault: ErrorRequestHandler = (error, request, response, _next) => {
  if (response.headersSent) return void response.destroy();
  // Express cannot decode the path, so no route matches it.
  const known = error instanceof URIError ? errors.badRequest('route_not_found') : knownError(error);
  const visit = requestStateOf(request);
  logFailure(visit.log, known);
  send(response, toRestError(known, { requestId: visit.requestId, accept: request.headers.accept }), visit);
};
