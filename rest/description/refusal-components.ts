/** The shared responses of refusals, one of each status that an endpoint names and one for all others, and their schema. */
import { STATUS_CODES } from 'node:http';
import type { Schema } from '../schema.js';
import { exampleError } from './examples.js';
import { detailsOf, refusalsByStatus } from './refusals.js';
import { headerReferences, ofDefaults, type Response, responseName } from './responses.js';

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

const text: Schema = { type: 'string' };
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
