/** The shared responses of refusals, one of each status, and their schemas. */
import { STATUS_CODES } from 'node:http';
import type { Schema } from '../schema.js';
import { headerReferences, ofDeprecated, ofEveryAnswer } from './headers.js';
import { type RefusalsOfStatus, refusalsByStatus } from './refusals.js';
import { type Response, responseName } from './responses.js';

/** The shared responses of refusals, and their schemas. */
export function refusalComponents(): { responses: Record<string, Response>; schemas: Record<string, Schema> } {
  const responses: Record<string, Response> = {};
  const schemas: Record<string, Schema> = { Problem: problem };
  for (const [status, refusals] of refusalsByStatus()) {
    const name = responseName(status);
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
      headers: headerReferences([...ofEveryAnswer, ...ofDeprecated, ...(further[status] ?? [])]),
      content: {
        'application/json': { schema: { $ref: `#/components/schemas/${name}Error` } },
        'application/problem+json': { schema: { $ref: `#/components/schemas/${name}ProblemDetails` } },
      },
    };
  }
  return { responses, schemas };
}

/** Further headers of a status. Refusals of a POST with an `Idempotency-Key` are stored and repeated too. */
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
    param: { ...text, description: 'The name of the parameter, with its place: `ids[2]`. Empty for the whole input.' },
    code: text,
    message: { ...text, description: 'What is wrong and what to send, for people.' },
    more: { type: 'integer', description: 'How many more problems there are that are not listed, in the last entry.' },
    missing: { type: 'array', items: text, description: 'Lines of the parent that a reorder leaves out.' },
    unexpected: { type: 'array', items: text, description: 'Ids in a reorder that are not lines of the parent.' },
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
