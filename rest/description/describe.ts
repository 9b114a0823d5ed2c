/**
 * The OpenAPI description of the REST interface, made from the endpoints that answer it. It holds nothing of a gateway's
 * records, keys or settings: every gateway of one version has the same, but for what its features add.
 */
import { setImmediate } from 'node:timers/promises';
import type { GraphQLSchema } from 'graphql';
import type { ApiPart, Schema } from '../../src/gateway/api.js';
import type { RestEndpoint } from '../endpoints.js';
import { explainParameter, explainValue } from '../request.js';
import { type DescribedOperation, describeOperation, parameterComponents } from './describe-operation.js';
import { answersWithoutReadScope, complete, schemasOf, sharedSchemas } from './record-schemas.js';
import { describeRefusals } from './refusals.js';
import { headers, headersOfEveryAnswer, historySuccess, refusalStatuses, sharedSuccesses } from './responses.js';

/**
 * Yields to other requests between the operations, because printing the documents of all takes a while. `features` add to
 * it at the end.
 */
export async function describeRest(
  endpoints: readonly RestEndpoint[],
  schema: GraphQLSchema,
  version: string,
  features: readonly ApiPart[] = [],
  publicUrl = '',
) {
  const paths: Record<string, Record<string, DescribedOperation>> = {};
  for (const endpoint of endpoints) {
    await setImmediate();
    const methods = paths[endpoint.path] ?? {};
    paths[endpoint.path] = methods;
    methods[endpoint.method.toLowerCase()] = describeOperation(endpoint);
  }
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
    tags: tagsOf(endpoints),
    paths,
    webhooks: {},
    components: describeComponents(endpoints, schema, features),
    'x-headers-of-every-answer': headersOfEveryAnswer(endpoints),
    ...extensions,
  };
  for (const feature of features) feature.describe?.(description);
  return description;
}

/** What the operations refer to. */
export function describeComponents(
  endpoints: readonly RestEndpoint[],
  schema: GraphQLSchema,
  features: readonly ApiPart[],
) {
  const resources = [...new Set(endpoints.flatMap(({ resource }) => resource ?? []))];
  const ofFeatures = features.flatMap(({ errors }) => Object.values(errors?.rows ?? {}));
  const statuses = new Set([...endpoints.flatMap(refusalStatuses), ...ofFeatures.map(({ status }) => status)]);
  const hasHistory = endpoints.some(({ operation }) => operation === 'history');
  const refusals = describeRefusals(statuses, features);
  return {
    schemas: {
      ...Object.fromEntries(resources.flatMap((resource) => Object.entries(schemasOf(resource, schema, hasHistory)))),
      ...sharedSchemas,
      ...Object.assign({}, ...endpoints.map((endpoint) => !endpoint.resource && endpoint.schemas)),
      ...refusals.schemas,
    },
    responses: { ...sharedSuccesses, ...(hasHistory && { History: historySuccess }), ...refusals.responses },
    headers,
    parameters: parameterComponents(endpoints),
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

function tagsOf(endpoints: readonly RestEndpoint[]): { name: string; description: string }[] {
  const titles = new Map<string, Set<string>>();
  for (const { resource } of endpoints)
    if (resource) titles.set(resource.area, (titles.get(resource.area) ?? new Set()).add(resource.title));
  const areas = [...titles].map(([name, all]) => ({ name, description: `${[...all].join(', ')}.` }));
  const hasOwn = endpoints.some(({ resource }) => !resource);
  return hasOwn ? [...areas, { name: 'events', description: 'Changes of all records, as they happen.' }] : areas;
}

/** What all endpoints have in common and OpenAPI has no place for. */
const text: Schema = { type: 'string' };
const count: Schema = { type: 'integer', format: 'int32' };

const explanation = complete('What a call means in GraphQL.', {
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
});

export const extensions = {
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
