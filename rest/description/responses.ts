/** The responses of an endpoint: its successes, and the names of the shared responses of its refusals. */
import { STATUS_CODES } from 'node:http';
import type { Deprecation } from '../../src/deprecation/deprecations.js';
import { capitalized } from '../../src/model/names.js';
import type { RestOperation } from '../operations.js';
import { asOf, idempotencyKey, ifMatch, ifNoneMatch, type Parameter } from '../request/parameters.js';
import type { Schema } from '../schema.js';
import { headerReferences, headersOfAnswers } from './headers.js';

export interface Response {
  description: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, { schema: Schema; examples?: Record<string, { $ref: string }> }>;
  /** The answer for a key that may write but not read. */
  'x-answer-without-read-scope'?: Schema;
}

type Reference = { $ref: string };

/** The name of the shared response of a status: `NotFound`. */
export const responseName = (status: number): string =>
  (STATUS_CODES[status] ?? '').split(/[\s-]/).map(capitalized).join('').replace(/\W/g, '');

/** Refusals that any request can get. */
const ofEveryRequest = [400, 401, 403, 408, 413, 415, 417, 429, 431, 500, 503, 504];

/** The statuses with which an endpoint can refuse. */
export function refusalStatuses({ parameters, method, resource }: RestOperation, deprecation?: Deprecation): number[] {
  const takes = (parameter: Parameter) => parameters.includes(parameter);
  // A document has a state that does not allow a change of it, or of its lines where submitted documents are locked.
  const hasState = [resource, ...resource.parents.map((parent) => parent.resource)].some(
    ({ documentLike }) => documentLike,
  );
  const moves = hasState && method !== 'GET';
  const statuses = [
    ...ofEveryRequest,
    ...(parameters.some((parameter) => parameter.in === 'path') ? [404] : []),
    ...(takes(idempotencyKey) || moves ? [409] : []),
    ...(takes(asOf) ? [404, 410] : []),
    ...(deprecation?.sunset ? [410] : []),
    ...(takes(ifMatch) ? [412] : []),
    ...(takes(idempotencyKey) ? [422] : []),
  ];
  return [...new Set(statuses)].sort((one, other) => one - other);
}

export const refusalReferences = (statuses: readonly number[]): Record<string, Reference> =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${responseName(status)}` }]));

/** The successful response of an endpoint; `schema` and `example` are the names of components. */
export function successResponses(
  endpoint: RestOperation,
  schema: string,
  deprecation?: Deprecation,
): Record<string, Response> {
  const { status, answers, parameters, method, resource } = endpoint;
  const takes = (parameter: Parameter) => parameters.includes(parameter);
  const isRecord = answers === 'record';
  const headers = [
    ...(isRecord ? ['ETag'] : []),
    ...(status === 201 ? ['Location'] : []),
    ...(takes(idempotencyKey) ? ['Idempotent-Replayed'] : []),
    ...headersOfAnswers(deprecation),
  ];
  const found: Response = {
    description: successes[answers](resource.title),
    headers: headerReferences(headers),
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  };
  if (method !== 'GET' && answers !== 'deletion') {
    const acknowledgement = isRecord ? 'Acknowledgement' : 'AcknowledgedPage';
    found['x-answer-without-read-scope'] = { $ref: `#/components/schemas/${acknowledgement}` };
  }
  if (!takes(ifNoneMatch)) return { [status]: found };
  const unchanged = {
    description: 'The record has not changed.',
    headers: headerReferences(['ETag', ...headersOfAnswers(deprecation)]),
  };
  return { [status]: found, 304: unchanged };
}

const successes: Record<RestOperation['answers'], (title: string) => string> = {
  record: (title) => `The ${title}.`,
  page: () => 'The page of the list.',
  deletion: () => 'The record is gone for good.',
  history: (title) => `The versions of the ${title}, the newest first.`,
};
