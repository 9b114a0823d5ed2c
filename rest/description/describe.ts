/**
 * The OpenAPI description of the REST interface, made from the operations that answer it. It holds nothing of a gateway's
 * records, keys or settings, but for the endpoints that it deprecates: every gateway of one version has the same.
 */
import { setImmediate } from 'node:timers/promises';
import type { GraphQLSchema } from 'graphql';
import type { Deprecations } from '../../src/features/usage/deprecations.js';
import { changesPath } from '../changes.js';
import { eventsPath } from '../events.js';
import { changesName, eventsName } from '../operation-names.js';
import type { RestOperation } from '../operations.js';
import { explainParameter, explainValue } from '../request/explain-parameter.js';
import { changeSchemas } from './change-schemas.js';
import { describeChanges } from './describe-changes.js';
import { describeEvents } from './describe-events.js';
import { type DescribedOperation, describeOperation } from './describe-operation.js';
import { extensions } from './extensions.js';
import { headers, headersOfDeprecated } from './headers.js';
import { schemasOf } from './record-schemas.js';
import { refusalResponses, refusalSchemas } from './refusal-components.js';
import { refusalStatuses, sharedSuccesses } from './responses.js';
import { parameterComponents } from './shared-parameters.js';
import { sharedSchemas } from './shared-schemas.js';
import { webhooks } from './webhooks.js';

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
      // There is no page of the licence, so a name of SPDX stands for its address.
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: publicUrl ? [{ url: publicUrl, description: 'This gateway.' }] : serversOfNoAddress,
    security: [{ apiKey: [] }],
    tags: tagsOf(operations),
    paths,
    webhooks,
    components: describeComponents(operations, schema, deprecations.size > 0),
    ...extensions,
  };
}

/** What the operations refer to. */
export function describeComponents(
  operations: readonly RestOperation[],
  schema: GraphQLSchema,
  isAnyDeprecated = false,
) {
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
    headers: isAnyDeprecated ? { ...headers, ...headersOfDeprecated } : headers,
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
