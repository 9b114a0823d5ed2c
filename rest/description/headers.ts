/** The headers of answers, as OpenAPI describes them. Those of every HTTP server (dates, lengths, caching) are not listed. */

import { ignoredHeader, operationHeader } from '../endpoint-headers.js';
import type { Schema } from '../schema.js';

interface Header {
  description: string;
  schema: Schema;
}

const text: Schema = { type: 'string' };
const number: Schema = { type: 'integer', format: 'int32' };

/** The headers that only some answers have. */
export const headers: Readonly<Record<string, Header>> = {
  ETag: { description: 'The version of the record, for `If-Match` and `If-None-Match`.', schema: text },
  Location: {
    description: 'Where the new record is: its path, or its address if the gateway has a PUBLIC_URL.',
    schema: text,
  },
  'Retry-After': { description: 'Seconds after which to try again.', schema: number },
  'WWW-Authenticate': { description: 'How to send the key.', schema: text },
};

/** The headers of each answer to a request with a key, refusals included: described once, and not at each answer. */
export const headersOfEveryAnswer: Readonly<Record<string, Header>> = {
  [operationHeader]: { description: 'The name of the GraphQL operation of this endpoint.', schema: text },
  [ignoredHeader]: {
    description: 'Query parameters that this endpoint does not have, percent-encoded; `...` where there are more.',
    schema: text,
  },
  'X-Request-Id': { description: 'Finds the request in the log: that of the request, or a new one.', schema: text },
  'RateLimit-Policy': { description: 'The limit of the key, if there is one.', schema: text },
  'RateLimit-Limit': { description: 'Requests that the key may make per minute.', schema: number },
  'RateLimit-Remaining': { description: 'Requests left in this minute.', schema: number },
  'RateLimit-Reset': { description: 'Seconds until the next minute begins.', schema: number },
  'Idempotent-Replayed': {
    description: '`true` where this is the stored answer to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  'Read-After': {
    description:
      'Where a change was made, if reads may be answered by standbys. A request that sends it back reads nothing older.',
    schema: text,
  },
};

type HeaderReferences = Record<string, { $ref: string }>;

export const headerReferences = (names: readonly string[]): HeaderReferences =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The headers of the answers of a deprecated endpoint. */
export const headersOfDeprecated: Readonly<Record<string, Header>> = {
  Deprecation: {
    description: 'Since when this endpoint is deprecated: `@` and seconds since 1970 (RFC 9745).',
    schema: text,
  },
  Sunset: { description: 'When this endpoint ends (RFC 8594).', schema: text },
  Link: {
    description:
      'Where the deprecation (`deprecation`) and the end (`sunset`) of this endpoint are explained, and the GraphQL document that takes its place (`successor-version`).',
    schema: text,
  },
};

export const ofDeprecated: readonly string[] = Object.keys(headersOfDeprecated);
