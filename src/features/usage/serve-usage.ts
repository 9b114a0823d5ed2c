import { type Header, headerReferences } from '../../../rest/description/responses.js';
import { documentPath } from '../../../rest/endpoints.js';
import { publicAddress } from '../../../rest/operation.js';
import { asksToExplain } from '../../../rest/request.js';
import type { Arrival } from '../../change/context.js';
import { Current } from '../../common/kept.js';
import type { ApiDescription, ApiOperation, ApiResponse, Schema } from '../../gateway/api.js';
import type { Joined, JoinedGateway, ServedFeature } from '../../gateway/feature.js';
import { invalidRequest } from '../../model/errors/error-rows.js';
import { errorTable, GatewayError } from '../../model/errors/gateway-error.js';
import { isPerson } from '../../model/scopes.js';
import { type Deprecation, type Deprecations, hasEnded, readDeprecations, usageSettings } from './deprecations.js';
import { callablesOf, createNoteUses } from './report.js';
import { addUsageFields, callables } from './schema/usage-fields.js';
import { Usage } from './usage.js';

/** Each `every` milliseconds what was counted is stored. */
export function serveUsage(every?: number): ServedFeature {
  const deprecations = Current.of<Deprecations>(new Map());
  return {
    schema: addUsageFields,
    errors: { after: 'not_acceptable', rows },
    reloads: {
      keys: ['deprecations'],
      read(config, endpoints) {
        const { deprecations: file } = usageSettings.of(config);
        const read: Deprecations = file ? readDeprecations(file, endpoints) : new Map();
        return () => {
          deprecations.replace(read);
          return { deprecations: read.size };
        };
      },
    },
    describe: (description) => describeDeprecated(description, deprecations.value),
    join: (gateway) => joinGateway(gateway, deprecations, every),
  };
}

const rows = errorTable({
  endpoint_ended: {
    ...invalidRequest,
    code: 'ENDPOINT_ENDED',
    status: 410,
    details: { sunset: 'text', successor: 'text' },
  },
});

/** The endpoint has ended for this caller; `successor` is the address of the GraphQL operation that does the same. */
const endpointEnded = (name: string, sunset: Date, successor: string, keyId: string): GatewayError =>
  new GatewayError(
    'endpoint_ended',
    rows.endpoint_ended,
    `This endpoint has ended for ${isPerson(keyId) ? 'you' : 'this API key'} on ${sunset.toISOString().slice(0, 10)}. The GraphQL operation ${name} does the same; it is at ${successor}.`,
    { sunset: sunset.toISOString(), successor },
  );

/**
 * Counts each call of an endpoint, unless it only asks to be explained, before it is answered; if the endpoint is deprecated
 * the answer says so (RFC 9745, RFC 8594), with the GraphQL operation that takes its place.
 */
function joinGateway(
  { key, schema, database, log, endpoints }: JoinedGateway,
  deprecations: Current<Deprecations>,
  every: number | undefined,
): Joined {
  const usage = new Usage({ database, log, every });
  callables.set(
    key,
    deprecations.derive((each) => callablesOf(endpoints, schema, each)),
  );
  const refusal: Joined['refusal'] = (endpoint, arrival) => {
    const deprecation = deprecations.value.get(endpoint);
    if (!deprecation?.sunset || !hasEnded(deprecation, arrival.keyId)) return undefined;
    const successor = publicAddress(arrival, documentPath(endpoint));
    return endpointEnded(endpoint, deprecation.sunset, successor, arrival.keyId);
  };
  return {
    called(endpoint, arrival, { request, visit, query }) {
      const isExplained = asksToExplain(query);
      if (!isExplained) usage.count(arrival.keyId, 'rest', endpoint, request.headers);
      const deprecation = deprecations.value.get(endpoint);
      if (!deprecation) return;
      visit.headers.push(...deprecationHeaders(endpoint, deprecation, arrival));
      const refused = isExplained ? undefined : refusal(endpoint, arrival);
      if (refused) throw refused;
    },
    refusal,
    admitted: createNoteUses(schema, usage),
    settle: () => usage.close(),
  };
}

/** The reference says that an endpoint is deprecated, unless the file names another address. */
function deprecationHeaders(name: string, deprecation: Deprecation, arrival: Arrival): string[] {
  const { since, sunset, documentation = publicAddress(arrival, '/docs') } = deprecation;
  const links = [
    `<${documentation}>; rel="deprecation"`,
    ...(sunset ? [`<${documentation}>; rel="sunset"`] : []),
    `<${publicAddress(arrival, documentPath(name))}>; rel="successor-version"; type="application/graphql"`,
  ];
  return [
    'Deprecation',
    `@${Math.floor(since.getTime() / 1000)}`,
    ...(sunset ? ['Sunset', sunset.toUTCString()] : []),
    'Link',
    links.join(', '),
  ];
}

export function describeDeprecated({ paths, components }: ApiDescription, deprecations: Deprecations): void {
  if (deprecations.size === 0) return;
  for (const methods of Object.values(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const deprecation = deprecations.get(operation.operationId);
      if (deprecation) methods[method] = deprecatedOperation(operation, deprecation, components.responses);
    }
  components.headers = { ...components.headers, ...headersOfDeprecated };
}

/** `shared` are the responses to which the operation may refer. */
export function deprecatedOperation<Operation extends ApiOperation>(
  operation: Operation,
  { since, sunset, documentation }: Deprecation,
  shared: ApiDescription['components']['responses'],
): Operation {
  const { operationId, summary, description } = operation;
  const sentences = [
    ...(description === undefined ? [] : [description]),
    // The sentence must be true before and after that day, because the description is made only once.
    `Deprecated from ${dayOf(since)} on${sunset ? `, and ends on ${dayOf(sunset)}` : ''}.`,
    `Use the GraphQL operation [${operationId}](${documentPath(operationId).slice(1)}) instead.`,
    ...(documentation ? [`[More about it](${documentation}).`] : []),
  ];
  const told = {
    description: sentences.join(' '),
    deprecated: true as const,
    ...(sunset && { 'x-sunset': sunset.toISOString() }),
  };
  const responses = { ...operation.responses };
  for (const [status, response] of Object.entries(responses)) {
    const own = '$ref' in response ? shared[response.$ref.split('/').at(-1) ?? ''] : response;
    if (own && status.startsWith('2')) responses[status] = withHeaders(own);
  }
  if (sunset) responses[410] = { $ref: '#/components/responses/Gone' };
  // What is new stands in front, where readers look for it.
  return { ...{ operationId, summary, ...told }, ...operation, ...told, responses };
}

const withHeaders = ({ description, headers, ...others }: ApiResponse): ApiResponse => ({
  description,
  headers: { ...headers, ...headerReferences(Object.keys(headersOfDeprecated)) },
  ...others,
});

const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

const text: Schema = { type: 'string' };

export const headersOfDeprecated: Readonly<Record<string, Header>> = {
  Deprecation: {
    description: 'Since when this endpoint is deprecated: `@` and seconds since 1970 (RFC 9745).',
    schema: text,
  },
  Sunset: { description: 'When this endpoint ends (RFC 8594).', schema: text },
  Link: {
    description:
      'Where the deprecation (`deprecation`) and the end (`sunset`) of this endpoint are explained, and the GraphQL document that takes its place (`successor-version`).',
    schema: text,
  },
};
