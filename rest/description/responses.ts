/** The responses of an endpoint: its successes, and the names of the shared responses of its refusals. */
import { STATUS_CODES } from 'node:http';
import type { ApiResponse, Parameter, Reference, Schema } from '../../src/gateway/api.js';
import { capitalized } from '../../src/model/names.js';
import type { RestEndpoint, RestOperation } from '../endpoints.js';
import { asOf, idempotencyKey, ifMatch, ifNoneMatch } from '../parameters.js';
import { ignoredHeader, operationHeader } from '../request.js';
import { answersLines, pastSchemaName } from './record-schemas.js';

/** The headers of answers, as OpenAPI describes them. Those of every HTTP server (dates, lengths, caching) are not listed. */
export interface Header {
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
export const headersOfEveryAnswer = (endpoints: readonly RestEndpoint[]): Readonly<Record<string, Header>> => ({
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
  ...(endpoints.some(({ parameters }) => parameters.includes(idempotencyKey)) && {
    'Idempotent-Replayed': {
      description: '`true` where this is the stored answer to an earlier request with the same `Idempotency-Key`.',
      schema: { type: 'string', const: 'true' },
    },
  }),
  'Read-After': {
    description:
      'Where a change was made, if reads may be answered by standbys. A request that sends it back reads nothing older.',
    schema: text,
  },
});

export const headerReferences = (names: readonly string[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export interface Response extends ApiResponse {
  content?: Record<string, { schema: Schema; example?: unknown }>;
  /** The answer for a key that may write but not read. */
  'x-answer-without-read-scope'?: Reference;
}

/** The name of the shared response of a status: `NotFound`. */
export const responseName = (status: number): string =>
  (STATUS_CODES[status] ?? '').split(/[\s-]/).map(capitalized).join('').replace(/\W/g, '');

/** Refusals that any request can get, and those of a body: described together as the response `default`. */
const ofEveryRequest: readonly number[] = [401, 403, 408, 417, 429, 431, 500, 503, 504];
export const ofDefaults = { Refused: ofEveryRequest, RefusedWithBody: [...ofEveryRequest, 413, 415] } as const;

/** The further statuses with which an endpoint can refuse. */
export function refusalStatuses(endpoint: RestEndpoint): readonly number[] {
  const { parameters, method, resource, stream } = endpoint;
  if (!resource) return [...(parameters.length > 0 ? [400] : []), ...(stream ? [406] : [])];
  const takes = (parameter: Parameter) => parameters.includes(parameter);
  // A document has a state that does not allow a change of it, or of its lines where submitted documents are locked.
  const hasState = [resource, ...resource.parents.map((parent) => parent.resource)].some(
    ({ documentLike }) => documentLike,
  );
  const moves = hasState && method !== 'GET';
  const statuses = [
    400,
    ...(parameters.some((parameter) => parameter.in === 'path') ? [404] : []),
    ...(takes(idempotencyKey) || moves ? [409] : []),
    ...(takes(asOf) ? [404, 410] : []),
    ...(takes(ifMatch) ? [412] : []),
    ...(takes(idempotencyKey) ? [422] : []),
  ];
  return [...new Set(statuses)].sort((one, other) => one - other);
}

/** The successes that are the same for every type. */
export const sharedSuccesses: Readonly<Record<string, Response>> = {
  NotModified: { description: 'The record has not changed.', headers: headerReferences(['ETag']) },
  Deleted: success('The record is gone for good.', 'DeletedRecord'),
};
export const historySuccess: Response = success('The versions of the record, the newest first.', 'RecordHistory');

export const refusalReferences = (statuses: readonly number[], takesBody = false): Record<string, Reference> => ({
  ...Object.fromEntries(statuses.map((status) => [status, responseReference(responseName(status))])),
  default: responseReference(takesBody ? 'RefusedWithBody' : 'Refused'),
});

const responseReference = (name: string): Reference => ({ $ref: `#/components/responses/${name}` });

/** The successful response of an endpoint; `schema` and `example` are the names of components. */
export function successResponses(endpoint: RestOperation, schema: string): Record<string, Response | Reference> {
  const { status, answers, parameters, method, resource } = endpoint;
  if (answers === 'deletion') return { [status]: responseReference('Deleted') };
  if (answers === 'history') return { [status]: responseReference('History') };
  const takes = (parameter: Parameter) => parameters.includes(parameter);
  const isRecord = answers === 'record';
  const headers = [...(isRecord ? ['ETag'] : []), ...(status === 201 ? ['Location'] : [])];
  const found = success(successes[answers](resource.title), schema, headers);
  if (takes(asOf) && answersLines(resource)) found.content = answer(schema, pastSchemaName(resource));
  if (method !== 'GET') {
    found['x-answer-without-read-scope'] = { $ref: `#/x-answers-without-read-scope/${answers}` };
  }
  if (!takes(ifNoneMatch)) return { [status]: found };
  return { [status]: found, 304: responseReference('NotModified') };
}

function success(description: string, schema: string, headers: readonly string[] = []): Response {
  return { description, ...(headers.length > 0 && { headers: headerReferences(headers) }), content: answer(schema) };
}

function answer(...names: string[]): Required<Response>['content'] {
  const references = names.map((name): Schema => ({ $ref: `#/components/schemas/${name}` }));
  const [first = {}, ...others] = references;
  return { 'application/json': { schema: others.length === 0 ? first : { anyOf: references } } };
}

const successes: Record<'record' | 'page', (title: string) => string> = {
  record: (title) => `The ${title}.`,
  page: () => 'The page of the list.',
};
