/**
 * The OpenAPI description of the REST interface, made from the operations that answer it. It holds nothing of a gateway's
 * records, keys or settings, but for the endpoints that it deprecates: every gateway of one version has the same.
 */
import { setImmediate } from 'node:timers/promises';
import type { GraphQLSchema } from 'graphql';
import type { Deprecations } from '../../src/deprecation/deprecations.js';
import { changesPath } from '../changes.js';
import { eventsPath } from '../events.js';
import { changesName, eventsName } from '../operation-names.js';
import type { RestOperation } from '../operations.js';
import { explainParameter, explainValue } from '../request/explain-parameter.js';
import type { Schema } from '../schema.js';
import { changeSchemas } from './change-schemas.js';
import { describeChanges } from './describe-changes.js';
import { describeEvents } from './describe-events.js';
import { type DescribedOperation, describeOperation } from './describe-operation.js';
import { headers } from './headers.js';
import { schemasOf } from './record-schemas.js';
import { refusalComponents } from './refusal-components.js';
import { sharedSchemas } from './shared-schemas.js';

export type Description = Awaited<ReturnType<typeof describeRest>>;

/** Yields to other requests between the operations, because printing the documents of all takes a while. */
export async function describeRest(
  operations: readonly RestOperation[],
  schema: GraphQLSchema,
  version: string,
  deprecations: Deprecations = new Map(),
  publicUrl = '',
) {
  const paths: Record<string, Record<string, DescribedOperation>> = {};
  for (const operation of operations) {
    await setImmediate();
    const methods = paths[operation.path] ?? {};
    paths[operation.path] = methods;
    methods[operation.method.toLowerCase()] = describeOperation(operation, deprecations.get(operation.name));
  }
  paths[changesPath] = { get: describeChanges(operations, deprecations.get(changesName)) };
  paths[eventsPath] = { get: describeEvents(operations, deprecations.get(eventsName)) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Business Records Gateway',
      version,
      summary: 'Business records over REST; each call is a GraphQL operation on the same records.',
      description: introduction,
      license: { name: 'Proprietary', url: `${publicUrl}/` },
    },
    servers: [{ url: publicUrl || '/', description: 'This gateway.' }],
    security: [{ apiKey: [] }],
    tags: tagsOf(operations),
    paths,
    components: describeComponents(operations, schema),
    'x-explain': {
      parameter: { $ref: '#/components/parameters/Explain' },
      answer: { $ref: '#/components/schemas/Explanation' },
    },
  };
}

/** What the operations refer to. */
export function describeComponents(operations: readonly RestOperation[], schema: GraphQLSchema) {
  const resources = [...new Set(operations.map(({ resource }) => resource))];
  const { responses, schemas } = refusalComponents();
  return {
    schemas: {
      ...Object.fromEntries(resources.flatMap((resource) => Object.entries(schemasOf(resource, schema)))),
      ...sharedSchemas,
      ...changeSchemas,
      ...schemas,
      Explanation: explanation,
    },
    responses,
    headers,
    parameters: {
      Explain: {
        name: explainParameter,
        in: 'query',
        description: 'Of every endpoint: the call is explained as a GraphQL operation and not performed.',
        schema: { const: explainValue },
      },
    },
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description: '`Authorization: Bearer <API_KEY>`, with the scopes named.',
      },
    },
  };
}

const introduction = `Every endpoint of the documented REST interface. \`x-extension\` marks what the gateway adds to it; \`x-known-values\`
lists values that other systems use, though any other is accepted too. \`x-graphql-operation\` holds the GraphQL operation that
does the same through \`/graphql\`. Any call with \`?${explainParameter}=${explainValue}\` is answered with that operation, its variables and its cost
instead of being performed. HEAD answers like GET without the body; OPTIONS and a 405 list the methods of a path in \`Allow\`.
A query parameter that an endpoint does not have is ignored and named in \`X-Ignored-Parameters\`.`;

function tagsOf(operations: readonly RestOperation[]): { name: string; description: string }[] {
  const titles = new Map<string, Set<string>>();
  for (const { resource } of operations)
    titles.set(resource.area, (titles.get(resource.area) ?? new Set()).add(resource.title));
  const areas = [...titles].map(([name, all]) => ({ name, description: `${[...all].join(', ')}.` }));
  return [...areas, { name: 'events', description: 'Changes of all records, as they happen.' }];
}

const text: Schema = { type: 'string' };

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
        cost: { type: 'object', properties: { requested: { type: 'integer' }, limit: { type: 'integer' } } },
        way: { type: 'string', enum: ['sql', 'resolvers'] },
        statements: { type: 'array', items: text, description: 'The SQL with which a read begins.' },
        graphiql: { type: ['string', 'null'], description: 'Where GraphiQL opens with the operation.' },
      },
      required: ['endpoint', 'operation', 'kind', 'document', 'variables', 'cost', 'way', 'graphiql'],
    },
  },
  required: ['explanation'],
};
