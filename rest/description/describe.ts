/**
 * The OpenAPI description of the REST interface, made from the operations that answer it. It holds nothing of a gateway's
 * records, keys or settings: every gateway of one version has the same, but for what its features add.
 */
import { setImmediate } from 'node:timers/promises';
import type { GraphQLSchema } from 'graphql';
import type { ServedFeature } from '../../src/gateway/feature.js';
import { changeActions } from '../../src/model/change.js';
import { changesPath } from '../changes.js';
import { streamEvents } from '../event-format.js';
import { eventsPath } from '../events.js';
import { changesName, eventsName, type RestOperation } from '../operations.js';
import { changeParameters, explainParameter, explainValue, listParameter } from '../request/event-parameters.js';
import type { Parameter } from '../request/parameters.js';
import type { Schema } from '../schema.js';
import { changeSchemas } from './change-schemas.js';
import {
  type DescribedOperation,
  describeOperation,
  describeParameter,
  describeTwin,
  parameterComponents,
} from './describe-operation.js';
import { answersWithoutReadScope, schemasOf, sharedSchemas } from './record-schemas.js';
import { refusalResponses, refusalSchemas } from './refusal-components.js';
import { headers, headersOfEveryAnswer, refusalReferences, refusalStatuses, sharedSuccesses } from './responses.js';

export type Description = Awaited<ReturnType<typeof describeRest>>;

/**
 * Yields to other requests between the operations, because printing the documents of all takes a while. `features` add to
 * it at the end.
 */
export async function describeRest(
  operations: readonly RestOperation[],
  schema: GraphQLSchema,
  version: string,
  features: readonly Pick<ServedFeature, 'describe'>[] = [],
  publicUrl = '',
) {
  const paths: Record<string, Record<string, DescribedOperation>> = {};
  for (const operation of operations) {
    await setImmediate();
    const methods = paths[operation.path] ?? {};
    paths[operation.path] = methods;
    methods[operation.method.toLowerCase()] = describeOperation(operation);
  }
  paths[changesPath] = { get: describeChanges(operations) };
  paths[eventsPath] = { get: describeEvents(operations) };
  const description = {
    openapi: '3.1.0',
    info: {
      title: 'Business Records Gateway',
      version,
      summary: 'Business records over REST; each call is a GraphQL operation on the same records.',
      description: introduction,
      // There is no page of the licence, so a name of SPDX stands for its address.
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: publicUrl ? [{ url: publicUrl, description: 'This gateway.' }] : serversOfNoAddress,
    security: [{ apiKey: [] }],
    tags: tagsOf(operations),
    paths,
    webhooks: {},
    components: describeComponents(operations, schema),
    ...extensions,
  };
  for (const feature of features) feature.describe?.(description);
  return description;
}

/** What the operations refer to. */
export function describeComponents(operations: readonly RestOperation[], schema: GraphQLSchema) {
  const resources = [...new Set(operations.map(({ resource }) => resource))];
  // 406 is that of the stream of events.
  const statuses = new Set([...operations.flatMap((operation) => refusalStatuses(operation)), 406]);
  return {
    schemas: {
      ...Object.fromEntries(resources.flatMap((resource) => Object.entries(schemasOf(resource, schema)))),
      ...sharedSchemas,
      ...changeSchemas,
      ...refusalSchemas(statuses),
    },
    responses: { ...sharedSuccesses, ...refusalResponses(statuses) },
    headers,
    parameters: parameterComponents(operations),
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description: '`Authorization: Bearer <API_KEY>`, with the scopes named.',
      },
    },
  };
}

/** Without PUBLIC_URL nobody knows the address: pages and Swagger UI have it, generators of clients need one. */
const serversOfNoAddress = [
  { url: '/', description: 'The gateway that serves this description.' },
  {
    url: '{address}',
    // Said here: orval's rules take a description of the variable for a member that it does not have.
    description: 'A gateway elsewhere, without a slash at its end. Its setting PUBLIC_URL makes this list its address.',
    variables: { address: { default: 'http://127.0.0.1:4000' } },
  },
];

const introduction = `Every endpoint of the documented REST interface. \`x-extension\` marks what the gateway adds to it; \`x-known-values\`
lists values that other systems use, though any other is accepted too. \`x-graphql-operation\` names the GraphQL operation that
does the same through \`/graphql\`, and where its document is. Any call with \`?${explainParameter}=${explainValue}\` is answered with that operation, its variables and its cost
instead of being performed. HEAD answers like GET without the body; OPTIONS and a 405 list the methods of a path in \`Allow\`.
A query parameter that an endpoint does not have is ignored and named in \`X-Ignored-Parameters\`.

Every answer, refusals included, has the headers in \`x-headers-of-every-answer\`. Every refusal has one form, \`ErrorAnswer\`.`;

function tagsOf(operations: readonly RestOperation[]): { name: string; description: string }[] {
  const titles = new Map<string, Set<string>>();
  for (const { resource } of operations)
    titles.set(resource.area, (titles.get(resource.area) ?? new Set()).add(resource.title));
  const areas = [...titles].map(([name, all]) => ({ name, description: `${[...all].join(', ')}.` }));
  return [...areas, { name: 'events', description: 'Changes of all records, as they happen.' }];
}

/** `GET /api/changes`, the feed of all changes, which no record type has. */
export function describeChanges(operations: readonly RestOperation[]): DescribedOperation {
  const resources = [...new Set(operations.map(({ resource }) => resource))];
  return {
    operationId: changesName,
    summary: 'List the changes of all records',
    description: 'All changes that the key may read, in the order in which they became visible.',
    tags: ['events'],
    security: [{ apiKey: [] }],
    parameters: changeParameters(resources).map(describeParameter),
    responses: {
      200: {
        description: 'A page of changes, the oldest first.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ChangeList' } } },
      },
      ...refusalReferences([400]),
    },
    'x-extension': true,
    ...describeTwin(changesName),
  };
}

/** What all endpoints have in common and OpenAPI has no place for. */
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

/** `GET /api/events`, the stream of changes, which no record type has. */
export function describeEvents(operations: readonly RestOperation[]): DescribedOperation {
  const slugs = [...new Set(operations.map(({ resource }) => resource.slug))];
  return {
    operationId: eventsName,
    summary: 'Follow the changes of records as they happen',
    description: `Server-sent events, as \`EventSource\` reads them, with JSON as their \`data\`:\n\n${eventList}`,
    tags: ['events'],
    security: [{ apiKey: [] }],
    parameters: parametersOf(slugs).map(describeParameter),
    responses: {
      200: {
        description: 'The stream of events.',
        content: { 'text/event-stream': { schema: { type: 'string', 'x-events': streamEvents } } },
      },
      ...refusalReferences([400, 406]),
    },
    'x-extension': true,
    ...describeTwin(eventsName),
  };
}

const parametersOf = (slugs: readonly string[]): Parameter[] => [
  listParameter('types', 'Only changes of these record types, separated by commas.', slugs),
  listParameter('actions', 'Only these changes, separated by commas.', changeActions),
  {
    ...position,
    name: 'after',
    in: 'query',
    description: 'The position after which to begin: that of the last event you know.',
  },
  {
    ...position,
    name: 'Last-Event-ID',
    in: 'header',
    description: 'As `after`; browsers send it by themselves after a break.',
  },
];

const eventList = Object.entries(streamEvents)
  .map(([name, { description }]) => `- \`${name}\`: ${description}`)
  .join('\n');

/** No example: each journal has its own positions. */
const position = { required: false, schema: { type: 'string', pattern: '^\\d{1,16}$' } } as const;
