/** The shared responses of refusals, one of each status that an endpoint names and one for all others, with their schemas. */
import { STATUS_CODES } from 'node:http';
import type { ApiPart, Schema } from '../../src/gateway/api.js';
import { invalidInput, restRows } from '../../src/model/errors/error-rows.js';
import type { ErrorRow } from '../../src/model/errors/gateway-error.js';
import { snakeOf } from '../../src/model/names.js';
import { exampleOf, exampleRefusals } from './examples.js';
import { complete } from './record-schemas.js';
import { headerReferences, ofDefaults, type Response, responseName } from './responses.js';

const text: Schema = { type: 'string' };
const detailSchemas = {
  text,
  texts: { type: 'array', items: text },
  number: { type: 'integer', format: 'int32' },
} satisfies Record<string, Schema>;

/** The codes of refusals, each with the row of its error. */
type Refusals = readonly (readonly [code: string, row: ErrorRow])[];

export function refusalsByStatus(features: readonly ApiPart[]): Map<number, Refusals> {
  const all: Refusals = [
    ...Object.entries(restRows).flatMap((own) => [
      own,
      ...features.flatMap(({ errors }) => (errors?.after === own[0] ? Object.entries(errors.rows) : [])),
    ]),
    // A parent that does not exist is wrong input, a record that does not exist is not found.
    ['resource_missing', invalidInput],
  ];
  return new Map(all.map(([, { status }]) => [status, all.filter(([, row]) => row.status === status)]));
}

/** The responses for these statuses and those for all others, and their schemas. */
export function describeRefusals(statuses: ReadonlySet<number>, features: readonly ApiPart[]) {
  const byStatus = refusalsByStatus(features);
  const refusalsOf = (status: number) => byStatus.get(status) ?? [];
  const meaningOf = (status: number) =>
    `${STATUS_CODES[status]}: ${refusalsOf(status)
      .map(([code]) => `\`${code}\``)
      .join(', ')}.`;
  const examples = [...exampleRefusals, ...features.flatMap(({ errors }) => errors?.example ?? [])];
  const exampleFor = (status: number) => examples.filter(({ row }) => row.status === status).map(exampleOf)[0];
  const responses: Record<string, Response> = {};
  const schemas: Record<string, Schema> = {
    ErrorAnswer: errorSchema(
      'Every refusal has this form. Further members of `error` belong to some codes only. Clients that accept `application/problem+json` get the same members in the form of RFC 9457, with `type: "about:blank"`, `title`, `status` and `detail`.',
      [...byStatus.values()].flat(),
    ),
  };
  for (const status of statuses) {
    const name = responseName(status);
    // With its own codes only: types say more, and tools resolve each for each operation.
    schemas[`${name}Error`] = errorSchema(`An \`ErrorAnswer\` of the status ${status}.`, refusalsOf(status));
    responses[name] = refusal(meaningOf(status), `${name}Error`, exampleFor(status), status === 412 ? ['ETag'] : []);
  }
  for (const [name, all] of Object.entries(ofDefaults)) {
    const meanings = all.map((status) => `${status} ${meaningOf(status)}`).join(' ');
    responses[name] = refusal(meanings, 'ErrorAnswer', exampleFor(401), ['Retry-After', 'WWW-Authenticate']);
  }
  return { responses, schemas: { ...schemas, Problem: problemSchema } };
}

const refusal = (description: string, schema: string, example: unknown, headers: readonly string[]): Response => ({
  description,
  ...(headers.length > 0 && { headers: headerReferences(headers) }),
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example } },
});

const problem: Schema = { $ref: '#/components/schemas/Problem' };

const errorSchema = (description: string, refusals: Refusals): Schema =>
  complete(description, {
    error: {
      type: 'object',
      properties: {
        type: { ...text, description: 'The kind of the error.' },
        code: {
          ...text,
          enum: [...new Set(refusals.map(([code]) => code))],
          description: 'What is wrong, for programs.',
        },
        message: { ...text, description: 'What is wrong and what to do, for people.' },
        param: { type: ['string', 'null'], description: 'The parameter that is wrong, the first of several.' },
        errors: refusals.some(([, row]) => row === invalidInput)
          ? { type: 'array', items: problem }
          : {
              type: 'array',
              items: {},
              maxItems: 0,
              description: 'Empty: only parameters that are wrong are listed.',
            },
        request_id: { ...text, description: 'Finds the request in the log.' },
        ...Object.fromEntries(refusals.flatMap(([, row]) => detailsOf(row))),
      },
      required: ['type', 'code', 'message', 'param', 'errors', 'request_id'],
    },
  });

/** The members of an error beyond those that every error has. */
const detailsOf = ({ details = {} }: ErrorRow): [name: string, schema: Schema][] =>
  Object.entries(details).map(([name, form]) => [snakeOf(name), detailSchemas[form]]);

const problemSchema: Schema = {
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
};
