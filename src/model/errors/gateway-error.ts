import { ExplainedError } from '../../common/config-error.js';
import type { Problem } from './problem.js';

/** Kinds of errors, each with its possible reasons, which are the codes of REST. */
export type ErrorCode =
  | 'UNAUTHENTICATED' // api_key_missing, api_key_invalid
  | 'FORBIDDEN' // forbidden
  | 'BAD_REQUEST' // json_invalid and other malformed requests
  | 'OPERATION_RESOLUTION_FAILURE' // operation_unknown
  | 'BAD_USER_INPUT' // the reasons of Problem
  | 'NOT_FOUND' // resource_missing
  | 'HISTORY_INCOMPLETE' // history_incomplete
  | 'ENDPOINT_ENDED' // endpoint_ended
  | 'INVALID_STATE' // invalid_state
  | 'VERSION_CONFLICT' // version_conflict
  | 'IDEMPOTENCY_CONFLICT' // idempotency_key_reused, idempotency_key_in_use, idempotency_answer_sealed
  | 'PERSISTED_QUERY_NOT_FOUND' // persisted_query_not_found
  | 'QUERY_TOO_COMPLEX' // query_too_complex, answer_too_large
  | 'RATE_LIMITED' // rate_limited, too_many_streams
  | 'UNAVAILABLE' // busy, database_unavailable, storage_full
  | 'TIMEOUT' // timeout
  | 'INTERNAL_SERVER_ERROR'; // internal

/**
 * An error as the caller sees it: `message` for people, `code` and `details` for programs. It must not contain a
 * secret.
 */
export class GatewayError extends ExplainedError {
  constructor(
    readonly code: ErrorCode,
    message: string,
    /** `reason` is the REST code; `problems` lists every invalid value; all other members are passed on unchanged. */
    readonly details: { reason: string; problems?: Problem[]; [name: string]: unknown },
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'GatewayError';
  }
}

/** Characters of an id that a message repeats: a client may send a long one, and ask for it many times. */
const longestShownId = 255;

/** The id as a message repeats it. */
export const shownId = (id: string): string => (id.length > longestShownId ? `${id.slice(0, longestShownId)}…` : id);

/** The same, in quotes. */
export const quotedId = (id: string): string => JSON.stringify(shownId(id));
