/** The responses of OpenAPI: one of each status for all refusals, and the success of each endpoint. */
import { STATUS_CODES } from 'node:http';
import { capitalized } from '../../src/model/names.js';
import type { RestOperation } from '../operations.js';
import { asOf, idempotencyKey, ifMatch, ifNoneMatch, type Parameter } from '../parameters.js';
import type { Schema } from '../schema.js';
import { headerReferences, ofEveryAnswer } from './headers.js';
import { type RefusalsOfStatus, refusalsByStatus } from './refusals.js';

export interface Response {
  description: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, { schema: Schema; examples?: Record<string, { $ref: string }> }>;
  /** What a key gets that may write but not read. */
  'x-answer-without-read-scope'?: Schema;
}

type Reference = { $ref: string };

/** The name of the shared response of a status: `NotFound`. */
const nameOf = (status: number): string =>
  (STATUS_CODES[status] ?? '').split(/[\s-]/).map(capitalized).join('').replace(/\W/g, '');

/** Refusals that any request can get. */
const ofEveryRequest = [400, 401, 403, 413, 415, 429, 500, 503, 504];

/** The statuses with which an endpoint can refuse. */
export function refusalStatuses({ parameters, operation, resource }: RestOperation): number[] {
  const takes = (parameter: Parameter) => parameters.includes(parameter);
  const moves = resource.documentLike && ['update', 'submit', 'cancel'].includes(operation);
  const statuses = [
    ...ofEveryRequest,
    ...(parameters.some((parameter) => parameter.in === 'path') ? [404] : []),
    ...(takes(idempotencyKey) || moves ? [409] : []),
    ...(takes(asOf) ? [404, 410] : []),
    ...(takes(ifMatch) ? [412] : []),
    ...(takes(idempotencyKey) ? [422] : []),
  ];
  return [...new Set(statuses)].sort((one, other) => one - other);
}

export const refusalReferences = (statuses: readonly number[]): Record<string, Reference> =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]));

/** The successful response of an endpoint; `schema` and `example` are the names of components. */
export function successResponses(endpoint: RestOperation, schema: string): Record<string, Response> {
  const { status, answers, parameters, method, resource } = endpoint;
  const takes = (parameter: Parameter) => parameters.includes(parameter);
  const isRecord = answers === 'record';
  const headers = [
    ...(isRecord ? ['ETag'] : []),
    ...(status === 201 ? ['Location'] : []),
    ...(takes(idempotencyKey) ? ['Idempotent-Replayed'] : []),
    ...ofEveryAnswer,
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
    headers: headerReferences(['ETag', ...ofEveryAnswer]),
  };
  return { [status]: found, 304: unchanged };
}

const successes: Record<RestOperation['answers'], (title: string) => string> = {
  record: (title) => `The ${title}.`,
  page: () => 'The page of the list.',
  deletion: () => 'The record is gone for good.',
  history: (title) => `The versions of the ${title}, the newest first.`,
};

/** The shared responses of refusals, and their schemas. */
export function refusalComponents(): { responses: Record<string, Response>; schemas: Record<string, Schema> } {
  const responses: Record<string, Response> = {};
  const schemas: Record<string, Schema> = { Problem: problem };
  for (const [status, refusals] of refusalsByStatus()) {
    const name = nameOf(status);
    const members = errorMembers(refusals);
    schemas[`${name}Error`] = {
      type: 'object',
      properties: { error: { type: 'object', properties: members, required: required } },
      required: ['error'],
    };
    schemas[`${name}ProblemDetails`] = {
      description: 'The same error in the form of RFC 9457, for clients that accept `application/problem+json`.',
      type: 'object',
      properties: { title: text, status: { const: status }, detail: text, ...members, type: { const: 'about:blank' } },
      required: ['title', 'status', 'detail', ...required],
    };
    responses[name] = {
      description: `${STATUS_CODES[status]}: ${refusals.codes.map((code) => `\`${code}\``).join(', ')}.`,
      headers: headerReferences([...ofEveryAnswer, ...(further[status] ?? [])]),
      content: {
        'application/json': { schema: { $ref: `#/components/schemas/${name}Error` } },
        'application/problem+json': { schema: { $ref: `#/components/schemas/${name}ProblemDetails` } },
      },
    };
  }
  return { responses, schemas };
}

/** Headers of a status. A refusal of a POST is repeated too. */
const further: Partial<Record<number, string[]>> = {
  400: ['Idempotent-Replayed'],
  401: ['WWW-Authenticate'],
  403: ['Idempotent-Replayed'],
  404: ['Idempotent-Replayed'],
  409: ['Idempotent-Replayed'],
  412: ['ETag', 'Idempotent-Replayed'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const text: Schema = { type: 'string' };
const required = ['type', 'code', 'message', 'param', 'errors', 'request_id'];

const problem: Schema = {
  description: 'One thing that is wrong with the request.',
  type: 'object',
  properties: {
    param: { ...text, description: 'The name of the parameter, with its place: `ids[2]`.' },
    code: text,
    message: { ...text, description: 'What is wrong and what to send, for people.' },
    missing: { type: 'array', items: text, description: 'Lines that a reorder does not name.' },
    unexpected: { type: 'array', items: text, description: 'What a reorder names that is no line of the parent.' },
  },
  required: ['param', 'code', 'message'],
};

const errorMembers = ({ codes, details }: RefusalsOfStatus): Record<string, Schema> => ({
  type: { ...text, description: 'The kind of the error.' },
  code: { ...text, enum: codes, description: 'What is wrong, for programs.' },
  message: { ...text, description: 'What is wrong and what to do, for people.' },
  param: { type: ['string', 'null'], description: 'The parameter that is wrong, the first of several.' },
  errors: { type: 'array', items: { $ref: '#/components/schemas/Problem' } },
  ...details,
  request_id: { ...text, description: 'Finds the request in the log.' },
});
