/** What all endpoints have in common and OpenAPI has no place for. */
import { explainParameter, explainValue } from '../request/explain-parameter.js';
import type { Schema } from '../schema.js';
import { headersOfEveryAnswer } from './headers.js';
import { answersWithoutReadScope } from './shared-schemas.js';

const text: Schema = { type: 'string' };
const count: Schema = { type: 'integer', format: 'int32' };

const explanation: Schema = {
  description: 'What a call means in GraphQL.',
  type: 'object',
  properties: {
    explanation: {
      type: 'object',
      properties: {
        endpoint: text,
        operation: text,
        kind: { type: 'string', enum: ['query', 'mutation', 'subscription'] },
        document: text,
        variables: { type: 'object', additionalProperties: true },
        cost: { type: 'object', properties: { requested: count, limit: count } },
        way: { type: 'string', enum: ['sql', 'resolvers'] },
        statements: { type: 'array', items: text, description: 'The SQL with which a read begins.' },
        graphiql: { type: ['string', 'null'], description: 'Where GraphiQL opens with the operation.' },
      },
      required: ['endpoint', 'operation', 'kind', 'document', 'variables', 'cost', 'way', 'graphiql'],
    },
  },
  required: ['explanation'],
};

export const extensions = {
  'x-headers-of-every-answer': headersOfEveryAnswer,
  'x-answers-without-read-scope': answersWithoutReadScope,
  'x-explain': {
    parameter: {
      name: explainParameter,
      in: 'query',
      description: 'Of every endpoint: the call is explained as a GraphQL operation and not performed.',
      schema: { const: explainValue },
    },
    answer: explanation,
  },
};
