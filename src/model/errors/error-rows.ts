/** The table of all errors but those of features: what each reason is in GraphQL and in REST. */
import { etagOf } from '../ids.js';
import { type ErrorDetails, type ErrorRow, errorTable, GatewayError } from './gateway-error.js';

/** A request that is refused before its operation is known; each reason has its own status. */
export const invalidRequest = { code: 'BAD_REQUEST', status: 400, type: 'invalid_request_error' };
const notAuthenticated: ErrorRow = {
  code: 'UNAUTHENTICATED',
  status: 401,
  type: 'authentication_error',
  headers: () => ({ 'WWW-Authenticate': 'Bearer' }),
};
const forbidden: ErrorRow = { code: 'FORBIDDEN', status: 403, type: 'permission_error', isOfOperation: true };
const tooComplex: ErrorRow = { ...invalidRequest, code: 'QUERY_TOO_COMPLEX', isOfOperation: true };
const retried: Pick<ErrorRow, 'headers'> = {
  headers: ({ retryAfter }) => ({ 'Retry-After': String(retryAfter ?? 1) }),
};
const tooMany: ErrorRow = {
  code: 'RATE_LIMITED',
  status: 429,
  type: 'rate_limit_error',
  ...retried,
  details: { limit: 'number', retryAfter: 'number' },
};
const unavailable: ErrorRow = {
  code: 'UNAVAILABLE',
  status: 503,
  type: 'api_error',
  ...retried,
  details: { retryAfter: 'number' },
};

/** Input that cannot be used, whatever is wrong with it. */
export const invalidInput: ErrorRow = { ...invalidRequest, code: 'BAD_USER_INPUT', isOfOperation: true };

/** The codes of REST, in the order of its description. */
export const restRows = errorTable({
  parameter_missing: invalidInput,
  parameter_unknown: invalidInput,
  parameter_invalid: invalidInput,
  parameter_immutable: invalidInput,
  reorder_mismatch: invalidInput,
  json_invalid: { ...invalidRequest, message: 'The body is not valid JSON. Send one JSON object, in UTF-8.' },
  host_invalid: { ...invalidRequest, message: 'The header `Host` must name one host; send it once.' },
  request_malformed: { ...invalidRequest, message: 'The request cannot be read as HTTP/1.1.' },
  request_timeout: {
    ...invalidRequest,
    status: 408,
    message: 'The request did not arrive in time. Send all of it within ten seconds, or in several requests.',
  },
  expectation_failed: {
    ...invalidRequest,
    status: 417,
    message: 'The header `Expect` takes only `100-continue`. Send the request without it.',
  },
  headers_too_large: {
    ...invalidRequest,
    status: 431,
    message: 'The request line and the headers are larger than 16 kB. Send less in the address and in headers.',
  },
  api_key_missing: notAuthenticated,
  api_key_invalid: notAuthenticated,
  forbidden: { ...forbidden, details: { missingScopes: 'texts' } },
  resource_missing: { ...invalidRequest, code: 'NOT_FOUND', status: 404 },
  route_not_found: {
    ...invalidRequest,
    status: 404,
    message: 'There is nothing at this path. Those of REST begin with `/api/`; GraphQL is at `/graphql`.',
  },
  method_not_allowed: {
    ...invalidRequest,
    status: 405,
    message: 'This path does not take this method; the header `Allow` says which it takes.',
  },
  not_acceptable: {
    ...invalidRequest,
    status: 406,
    message: 'Answers are JSON: accept application/json or application/graphql-response+json.',
  },
  invalid_state: {
    code: 'INVALID_STATE',
    status: 409,
    type: 'state_error',
    details: { currentState: 'text', expectedState: 'text', allowedActions: 'texts' },
  },
  version_conflict: {
    code: 'VERSION_CONFLICT',
    status: 412,
    type: 'conflict_error',
    headers: ({ currentVersion }) => ({ ETag: etagOf(Number(currentVersion)) }),
    details: { currentVersion: 'number' },
  },
  body_too_large: { ...invalidRequest, status: 413, message: 'The body is larger than 1 MB. Send it in parts.' },
  content_type_unsupported: {
    ...invalidRequest,
    status: 415,
    message: 'Send the body as JSON, with the header `Content-Type: application/json`.',
  },
  query_too_complex: { ...tooComplex, details: { limit: 'number', measure: 'text', found: 'number' } },
  operation_unknown: { ...invalidRequest, code: 'OPERATION_RESOLUTION_FAILURE', isOfOperation: true },
  answer_too_large: { ...tooComplex, details: { limit: 'number' } },
  rate_limited: tooMany,
  too_many_streams: tooMany,
  internal: {
    code: 'INTERNAL_SERVER_ERROR',
    status: 500,
    type: 'api_error',
    message: 'Something went wrong in the gateway. Its log has the cause, under the request id.',
  },
  busy: unavailable,
  database_unavailable: unavailable,
  storage_full: unavailable,
  timeout: {
    code: 'TIMEOUT',
    status: 504,
    type: 'api_error',
    message: 'The request took too long and was stopped. Nothing of it was kept.',
  },
});

/** What only `/graphql` answers with. */
const graphqlRows = errorTable({
  operation_missing: {
    ...invalidRequest,
    message: 'Send a GraphQL operation: {"query": "…"} as the body of a POST, or ?query=… in a GET.',
  },
  parameters_invalid: {
    ...invalidRequest,
    message: 'The parameters of the request do not have the form that GraphQL over HTTP gives them.',
  },
  mutation_by_get: {
    ...invalidRequest,
    status: 405,
    headers: () => ({ Allow: 'POST' }),
    message: 'GET and HEAD only read. Send a mutation by POST.',
  },
  untrusted_document: {
    ...forbidden,
    message: 'This operation is not among the trusted documents of this gateway.',
  },
  persisted_query_hash_mismatch: {
    ...invalidRequest,
    message: 'The SHA-256 in `extensions.persistedQuery` is not that of the operation sent with it.',
  },
  // The message is defined by Apollo's protocol: its clients then send the text. The status is what they expect.
  persisted_query_not_found: {
    ...invalidRequest,
    code: 'PERSISTED_QUERY_NOT_FOUND',
    status: 200,
    message: 'PersistedQueryNotFound',
  },
});

const rows = { ...restRows, ...graphqlRows };

/** An error of the table, with the message of its row unless it has another one. */
export const refusal = (
  reason: keyof typeof rows,
  message?: string,
  details?: ErrorDetails,
  options?: ErrorOptions,
): GatewayError => new GatewayError(reason, rows[reason], message, details, options);
