import type { ErrorCode, GatewayError } from '../../../model/errors/gateway-error.js';

/**
 * The HTTP status for an error that ends a request: any error of REST, and an error of `/graphql` before execution
 * begins. An error inside a GraphQL operation never changes the status.
 */
export const statusOf = ({ code, details }: Pick<GatewayError, 'code' | 'details'>): number =>
  statusOfReason[details.reason] ?? statusOfCode[code];

const statusOfCode: Record<ErrorCode, number> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  BAD_REQUEST: 400,
  OPERATION_RESOLUTION_FAILURE: 400,
  BAD_USER_INPUT: 400,
  NOT_FOUND: 404,
  HISTORY_INCOMPLETE: 410,
  ENDPOINT_ENDED: 410,
  INVALID_STATE: 409,
  VERSION_CONFLICT: 412,
  IDEMPOTENCY_CONFLICT: 422,
  PERSISTED_QUERY_NOT_FOUND: 200, // as Apollo clients expect
  QUERY_TOO_COMPLEX: 400,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
  TIMEOUT: 504,
  INTERNAL_SERVER_ERROR: 500,
};

/** Reasons with a status other than that of their code. */
const statusOfReason: Record<string, number> = {
  route_not_found: 404,
  method_not_allowed: 405,
  mutation_by_get: 405,
  not_acceptable: 406,
  idempotency_key_in_use: 409,
  idempotency_answer_sealed: 409,
  request_timeout: 408,
  expectation_failed: 417,
  headers_too_large: 431,
  body_too_large: 413,
  content_type_unsupported: 415,
};
