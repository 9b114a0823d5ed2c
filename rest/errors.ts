/**
 * Errors in the form of the REST interface: like Stripe's, or RFC 9457 for clients that accept
 * `application/problem+json`.
 */
import { STATUS_CODES } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import { noteRefusal } from '../src/change/observation.js';
import { statusOf } from '../src/gateway/http/answer/error-status.js';
import { names } from '../src/gateway/http/answer/headers.js';
import { send } from '../src/gateway/http/answer/send.js';
import { ClientGone } from '../src/gateway/http/read-body.js';
import { type Visit, visitOf } from '../src/gateway/http/visit.js';
import { knownError, logFailure, nameOf, sentenceOf } from '../src/graphql/shown-errors/show-error.js';
import { errors } from '../src/model/errors/errors.js';
import type { ErrorCode, GatewayError } from '../src/model/errors/gateway-error.js';
import { listedAs, type Problem } from '../src/model/errors/problem.js';
import { snakeOf } from '../src/model/names.js';
import { etagOf, type RestResponse } from './response.js';

export interface ErrorRequest {
  requestId: string;
  /** The request's `Accept` header. */
  accept?: string | undefined;
}

/** The response for an error of the catalogue. */
export function toRestError(error: GatewayError, request: ErrorRequest): RestResponse {
  const { reason, problems, ...details } = error.details;
  return answer(error.code, reason, error.message, (problems ?? []).map(restProblemOf), details, request);
}

/** The response for invalid parameters: the first problem at the top level, all of them in `errors`. */
export function toRestProblems(problems: RestProblem[], request: ErrorRequest): RestResponse {
  return answer('BAD_USER_INPUT', problems[0]?.code ?? 'parameter_invalid', '', problems, {}, request);
}

function answer(
  errorCode: ErrorCode,
  reason: string,
  message: string,
  problems: RestProblem[],
  details: object,
  { requestId, accept }: ErrorRequest,
): RestResponse {
  const first = problems[0];
  const error = {
    type: types[errorCode],
    code: reason,
    message: first?.message ?? message,
    param: first?.param ?? null,
    errors: listedAs(problems, restProblemOf),
    ...snakeKeys(details),
    request_id: requestId,
  };
  const status = statusOf({ code: errorCode, details: { reason } });
  const headers = headersFor(errorCode, details);
  return names(accept, 'application/problem+json')
    ? {
        status,
        headers: { ...headers, 'Content-Type': 'application/problem+json; charset=utf-8' },
        body: JSON.stringify({
          title: STATUS_CODES[status],
          status,
          detail: error.message,
          ...error,
          type: 'about:blank',
        }),
      }
    : {
        status,
        headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
        body: JSON.stringify({ error }),
      };
}

const types: Record<ErrorCode, string> = {
  UNAUTHENTICATED: 'authentication_error',
  FORBIDDEN: 'permission_error',
  BAD_REQUEST: 'invalid_request_error',
  OPERATION_RESOLUTION_FAILURE: 'invalid_request_error',
  BAD_USER_INPUT: 'invalid_request_error',
  NOT_FOUND: 'invalid_request_error',
  HISTORY_INCOMPLETE: 'invalid_request_error',
  ENDPOINT_ENDED: 'invalid_request_error',
  INVALID_STATE: 'state_error',
  VERSION_CONFLICT: 'conflict_error',
  IDEMPOTENCY_CONFLICT: 'idempotency_error',
  PERSISTED_QUERY_NOT_FOUND: 'invalid_request_error',
  QUERY_TOO_COMPLEX: 'invalid_request_error',
  RATE_LIMITED: 'rate_limit_error',
  UNAVAILABLE: 'api_error',
  TIMEOUT: 'api_error',
  INTERNAL_SERVER_ERROR: 'api_error',
};

function headersFor(
  code: ErrorCode,
  details: { currentVersion?: unknown; retryAfter?: unknown },
): Record<string, string> {
  switch (code) {
    case 'UNAUTHENTICATED':
      return { 'WWW-Authenticate': 'Bearer' };
    case 'UNAVAILABLE':
      return { 'Retry-After': String(details.retryAfter ?? 1) };
    case 'RATE_LIMITED':
      return { 'Retry-After': String(details.retryAfter) };
    case 'VERSION_CONFLICT':
      return { ETag: etagOf(Number(details.currentVersion)) };
    default:
      return {};
  }
}

function snakeKeys(details: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [snakeOf(name), value]));
}

/** One invalid parameter of a request, with REST names. */
export interface RestProblem {
  param: string;
  code: Problem['code'];
  message: string;
  /** The number of problems that are not listed, if this one stands for them. */
  more?: number | undefined;
}

export function restProblem(param: string, code: Problem['code'], message: string, details: object = {}): RestProblem {
  return { param, code, message: sentenceOf({ path: [param], message }), ...details };
}

/** A problem found by GraphQL, with its path in REST form: without the argument's name and in snake_case. */
export function restProblemOf({ path, code, message, more, details }: Problem): RestProblem {
  if (path.length === 0) return { param: '', code, message: sentenceOf({ path, message }), more };
  const inner = path[0] === 'input' && path.length > 1 ? path.slice(1) : path;
  const param = nameOf(inner.map((part) => (typeof part === 'string' ? snakeOf(part) : part)));
  return restProblem(param, code, message, details);
}

/**
 * Answers a request of REST with the error that it ended in, in the form of REST. An unexpected error is masked, and
 * logged under its request id. Nothing is answered if the client has gone, or if an answer has begun.
 */
export function refuseRest(visit: Visit, error: unknown): void {
  const { request, response } = visit;
  if (error instanceof ClientGone || response.headersSent) return void response.destroy();
  const known = knownError(error);
  noteRefusal(visit.observation, known);
  logFailure(visit.log, known);
  send(visit, toRestError(known, { requestId: visit.requestId, accept: request.headers.accept }));
}

/**
 * Answers any error of the handlers in the REST form; a fault of the server is logged with the request id and masked.
 */
export const answerFault: ErrorRequestHandler = (error, request, response, _next) => {
  if (response.headersSent) return void response.destroy();
  // Express cannot decode the path, so no route matches it.
  const known = error instanceof URIError ? errors.badRequest('route_not_found') : knownError(error);
  const visit = visitOf(request);
  logFailure(visit.log, known);
  send(visit, toRestError(known, { requestId: visit.requestId, accept: request.headers.accept }));
};
