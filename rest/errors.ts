/**
 * Errors as the REST surface shows them: the one place where a status is chosen. The body is Stripe's in form; whoever
 * asks for `application/problem+json` gets the same members as RFC 9457.
 */
import { STATUS_CODES } from 'node:http';
import type { ErrorCode, GatewayError } from '../src/errors.js';
import { snakeOf } from '../src/model/names.js';
import { type RestProblem, translated } from './problem.js';
import type { RestResponse } from './response.js';
import { etagOf } from './version.js';

export interface ErrorRequest {
  requestId: string;
  /** The request's `Accept` header. */
  accept?: string | undefined;
}

/** The answer for an error of the catalogue. */
export function toRestError(error: GatewayError, request: ErrorRequest): RestResponse {
  const { reason, problems, ...details } = error.details;
  return answer(error.code, reason, error.message, (problems ?? []).map(translated), details, request);
}

/** The answer for a request whose values do not fit: the first problem on top, all of them in `errors`. */
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
  const { status, type } = kinds[errorCode];
  const first = problems[0];
  const error = {
    type,
    code: reason,
    message: first?.message ?? message,
    param: first?.param ?? null,
    errors: problems,
    ...snakeKeys(details),
    request_id: requestId,
  };
  const httpStatus = statuses[reason] ?? status;
  const headers = headersFor(errorCode, details);
  return accept?.includes('application/problem+json')
    ? {
        status: httpStatus,
        headers: { ...headers, 'Content-Type': 'application/problem+json; charset=utf-8' },
        body: JSON.stringify({
          title: STATUS_CODES[httpStatus],
          status: httpStatus,
          detail: error.message,
          ...error,
          type: 'about:blank',
        }),
      }
    : {
        status: httpStatus,
        headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
        body: JSON.stringify({ error }),
      };
}

const kinds: Record<ErrorCode, { status: number; type: string }> = {
  UNAUTHENTICATED: { status: 401, type: 'authentication_error' },
  FORBIDDEN: { status: 403, type: 'permission_error' },
  BAD_REQUEST: { status: 400, type: 'invalid_request_error' },
  BAD_USER_INPUT: { status: 400, type: 'invalid_request_error' },
  NOT_FOUND: { status: 404, type: 'invalid_request_error' },
  INVALID_STATE: { status: 409, type: 'state_error' },
  VERSION_CONFLICT: { status: 412, type: 'conflict_error' },
  IDEMPOTENCY_CONFLICT: { status: 422, type: 'idempotency_error' },
  QUERY_TOO_COMPLEX: { status: 400, type: 'invalid_request_error' },
  RATE_LIMITED: { status: 429, type: 'rate_limit_error' },
  UNAVAILABLE: { status: 503, type: 'api_error' },
  TIMEOUT: { status: 504, type: 'api_error' },
  INTERNAL_SERVER_ERROR: { status: 500, type: 'api_error' },
};

/** Reasons whose status is not that of their kind. */
const statuses: Record<string, number> = {
  route_not_found: 404,
  method_not_allowed: 405,
  body_too_large: 413,
  content_type_unsupported: 415,
  idempotency_key_in_use: 409,
};

function headersFor(code: ErrorCode, details: { currentVersion?: unknown }): Record<string, string> {
  switch (code) {
    case 'UNAUTHENTICATED':
      return { 'WWW-Authenticate': 'Bearer' };
    case 'UNAVAILABLE':
    case 'RATE_LIMITED':
      return { 'Retry-After': '1' };
    case 'VERSION_CONFLICT':
      return { ETag: etagOf(Number(details.currentVersion)) };
    default:
      return {};
  }
}

function snakeKeys(details: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [snakeOf(name), value]));
}
