/** How OpenAPI describes a deprecated endpoint. */
import { type Header, headerReferences } from '../../../rest/description/responses.js';
import { documentPath } from '../../../rest/endpoints.js';
import type { ApiDescription, ApiOperation, ApiResponse, Schema } from '../../gateway/api.js';
import type { Deprecation, Deprecations } from './deprecations.js';

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

/** The headers of the answers of a deprecated endpoint. */
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
