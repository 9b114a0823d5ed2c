/**
 * Every error `code` of REST, the gateway's error that it stands for, and the members of its body beyond those of all
 * errors.
 */

import { statusOf } from '../../src/gateway/http/answer/error-status.js';
import type { ErrorCode } from '../../src/model/errors/gateway-error.js';
import type { Schema } from '../schema.js';

export interface Refusal {
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
export const detailsOf = (codes: readonly string[]): Record<string, Schema> =>
  Object.assign({}, ...codes.map((code) => refusals[code]?.details));
