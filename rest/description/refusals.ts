/**
 * Every error `code` of REST, the gateway's error that it stands for, and the members of its body beyond those of all errors;
 * and the shared responses of refusals, one of each status that an endpoint names and one for all others, with their schemas.
 */
import { STATUS_CODES } from 'node:http';
import type { Schema } from '../../src/gateway/api.js';
import { statusOf } from '../../src/gateway/http/answer/error-status.js';
import type { ErrorCode } from '../../src/model/errors/gateway-error.js';
import { exampleError } from './examples.js';
import { headerReferences, ofDefaults, type Response, responseName } from './responses.js';

interface Refusal {
  error: ErrorCode;
  /** Further members of the error. */
  details?: Readonly<Record<string, Schema>>;
}

const text: Schema = { type: 'string' };
const texts: Schema = { type: 'array', items: text };
const number: Schema = { type: 'integer', format: 'int32' };
const limit = { limit: number };

const refusals: Readonly<Record<string, Refusal>> = {
  parameter_missing: { error: 'BAD_USER_INPUT' },
  parameter_unknown: { error: 'BAD_USER_INPUT' },
  parameter_invalid: { error: 'BAD_USER_INPUT' },
  parameter_immutable: { error: 'BAD_USER_INPUT' },
  reorder_mismatch: { error: 'BAD_USER_INPUT' },
  json_invalid: { error: 'BAD_REQUEST' },
  host_invalid: { error: 'BAD_REQUEST' },
  request_malformed: { error: 'BAD_REQUEST' },
  request_timeout: { error: 'BAD_REQUEST' },
  expectation_failed: { error: 'BAD_REQUEST' },
  headers_too_large: { error: 'BAD_REQUEST' },
  idempotency_key_invalid: { error: 'BAD_REQUEST' },
  query_too_complex: { error: 'QUERY_TOO_COMPLEX', details: { ...limit, measure: text, found: number } },
  operation_unknown: { error: 'OPERATION_RESOLUTION_FAILURE' },
  answer_too_large: { error: 'QUERY_TOO_COMPLEX', details: limit },
  api_key_missing: { error: 'UNAUTHENTICATED' },
  api_key_invalid: { error: 'UNAUTHENTICATED' },
  forbidden: { error: 'FORBIDDEN', details: { missing_scopes: texts } },
  resource_missing: { error: 'NOT_FOUND' },
  route_not_found: { error: 'BAD_REQUEST' },
  method_not_allowed: { error: 'BAD_REQUEST' },
  not_acceptable: { error: 'BAD_REQUEST' },
  endpoint_ended: { error: 'ENDPOINT_ENDED', details: { sunset: text, successor: text } },
  history_incomplete: { error: 'HISTORY_INCOMPLETE', details: { known_from: text } },
  invalid_state: {
    error: 'INVALID_STATE',
    details: { current_state: text, expected_state: text, allowed_actions: texts },
  },
  idempotency_key_in_use: { error: 'IDEMPOTENCY_CONFLICT' },
  idempotency_answer_sealed: { error: 'IDEMPOTENCY_CONFLICT' },
  version_conflict: { error: 'VERSION_CONFLICT', details: { current_version: number } },
  body_too_large: { error: 'BAD_REQUEST' },
  content_type_unsupported: { error: 'BAD_REQUEST' },
  idempotency_key_reused: { error: 'IDEMPOTENCY_CONFLICT' },
  rate_limited: { error: 'RATE_LIMITED', details: { ...limit, retry_after: number } },
  too_many_streams: { error: 'RATE_LIMITED', details: { ...limit, retry_after: number } },
  internal: { error: 'INTERNAL_SERVER_ERROR' },
  busy: { error: 'UNAVAILABLE' },
  database_unavailable: { error: 'UNAVAILABLE', details: { retry_after: number } },
  storage_full: { error: 'UNAVAILABLE', details: { retry_after: number } },
  timeout: { error: 'TIMEOUT' },
};

/** The codes of each status. */
export function refusalsByStatus(): Map<number, string[]> {
  const byStatus = new Map<number, string[]>();
  const add = (error: ErrorCode, reason: string) => {
    const status = statusOf({ code: error, details: { reason } });
    byStatus.set(status, [...(byStatus.get(status) ?? []), reason]);
  };
  for (const [reason, { error }] of Object.entries(refusals)) add(error, reason);
  // A parent that does not exist is wrong input, a record that does not exist is not found.
  add('BAD_USER_INPUT', 'resource_missing');
  return byStatus;
}

/** The members of errors with these codes beyond those that every error has. */
const detailsOf = (codes: readonly string[]): Record<string, Schema> =>
  Object.assign({}, ...codes.map((code) => refusals[code]?.details));

const byStatus = refusalsByStatus();

/** The responses for these statuses, and those for all others. */
export const refusalResponses = (statuses: Iterable<number>): Record<string, Response> => ({
  ...Object.fromEntries(
    Array.from(statuses, (status) => [
      responseName(status),
      refusal(meaningOf(status), errorName(status), exampleError(status), status === 412 ? ['ETag'] : []),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(ofDefaults).map(([name, all]) => [
      name,
      refusal(all.map((status) => `${status} ${meaningOf(status)}`).join(' '), 'ErrorAnswer', exampleError(401), [
        'Retry-After',
        'WWW-Authenticate',
      ]),
    ]),
  ),
});

const meaningOf = (status: number): string =>
  `${STATUS_CODES[status]}: ${byStatus
    .get(status)
    ?.map((code) => `\`${code}\``)
    .join(', ')}.`;

/** The schema of the refusals with a status: `NotFoundError`. */
const errorName = (status: number): string => `${responseName(status)}Error`;

const refusal = (description: string, schema: string, example: unknown, headers: readonly string[]): Response => ({
  description,
  ...(headers.length > 0 && { headers: headerReferences(headers) }),
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example } },
});

const problem: Schema = { $ref: '#/components/schemas/Problem' };

const mayHaveProblems = (codes: readonly string[]): boolean => codes.includes('parameter_invalid');

/** An error with one of these codes. */
const errorSchema = (description: string, codes: readonly string[]): Schema => ({
  description,
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        type: { ...text, description: 'The kind of the error.' },
        code: { ...text, enum: codes, description: 'What is wrong, for programs.' },
        message: { ...text, description: 'What is wrong and what to do, for people.' },
        param: { type: ['string', 'null'], description: 'The parameter that is wrong, the first of several.' },
        errors: mayHaveProblems(codes)
          ? { type: 'array', items: problem }
          : {
              type: 'array',
              items: {},
              maxItems: 0,
              description: 'Empty: only parameters that are wrong are listed.',
            },
        request_id: { ...text, description: 'Finds the request in the log.' },
        ...detailsOf(codes),
      },
      required: ['type', 'code', 'message', 'param', 'errors', 'request_id'],
    },
  },
  required: ['error'],
});

/** One of each of these statuses, with its own codes only: types say more, and tools resolve each for each operation. */
export const refusalSchemas = (statuses: Iterable<number>): Record<string, Schema> => ({
  ErrorAnswer: errorSchema(
    'Every refusal has this form. Further members of `error` belong to some codes only. Clients that accept `application/problem+json` get the same members in the form of RFC 9457, with `type: "about:blank"`, `title`, `status` and `detail`.',
    [...new Set([...byStatus.values()].flat())],
  ),
  ...Object.fromEntries(
    Array.from(statuses, (status) => [
      errorName(status),
      errorSchema(`An \`ErrorAnswer\` of the status ${status}.`, byStatus.get(status) ?? []),
    ]),
  ),
  Problem: {
    description: 'One thing that is wrong with the request.',
    type: 'object',
    properties: {
      param: {
        ...text,
        description: 'The name of the parameter, with its place: `ids[2]`. Empty for the whole input.',
      },
      code: text,
      message: { ...text, description: 'What is wrong and what to send, for people.' },
      more: {
        type: 'integer',
        format: 'int32',
        description: 'How many more problems there are that are not listed, in the last entry.',
      },
      missing: { type: 'array', items: text, description: 'Lines of the parent that a reorder leaves out.' },
      unexpected: { type: 'array', items: text, description: 'Ids in a reorder that are not lines of the parent.' },
    },
    required: ['param', 'code', 'message'],
  },
});
