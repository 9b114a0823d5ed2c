/** Malformed requests, whatever their operation. */
import type { GraphqlCall } from '../calls.js';
import type { Row } from '../covering-array.js';
import { asText, beforeFields, beforeOperations, type Guard, inBodies, type Refusal, refusal } from '../guard.js';

const badRequest = [refusal(400, 'BAD_REQUEST')];
const unsupported = [refusal(415, 'BAD_REQUEST')];
const unresolved = [refusal(400, 'OPERATION_RESOLUTION_FAILURE'), ...badRequest];
const onlyGraphql = 'REST has no such parameter';

const ofMediaType = (type: string | undefined, headers: Record<string, string> = {}): Guard => ({
  name: `body: of type ${type ?? 'none'}${Object.entries(headers).map((header) => `, ${header.join(' ')}`)}`,
  skips: beforeOperations,
  graphql: { makeInvalid: (call) => withMediaType(call, type, headers), refusals: unsupported, skips: inBodies },
  rest: {
    makeInvalid: (call) => ({ ...call, headers: { ...call.headers, ...headers, 'content-type': type ?? '' } }),
    refusals: [refusal(415, 'content_type_unsupported')],
    skips: ({ operation }) => (operation === 'create' || operation === undefined ? undefined : 'it reads no body'),
  },
});

function withMediaType(call: GraphqlCall, type = '', headers: Record<string, string>): GraphqlCall {
  return { ...call, headers: { ...call.headers, ...headers, 'content-type': type } };
}

const withBody = (
  name: string,
  body: string | Buffer,
  graphql: readonly Refusal[],
  rest: readonly Refusal[],
  readBy = ['create'],
): Guard => ({
  name: `body: ${name}`,
  skips: beforeOperations,
  graphql: { makeInvalid: (call) => ({ ...call, body }), refusals: graphql, skips: inBodies },
  rest: {
    makeInvalid: (call) => ({ ...call, text: body }),
    refusals: rest,
    skips: ({ operation }) =>
      operation === undefined || readBy.includes(operation) ? undefined : 'it takes any body, or none',
  },
});

const parameter = (
  name: string,
  parameters: Record<string, unknown>,
  refusals: readonly Refusal[],
  own?: Guard['skips'],
  skips: ((row: Row) => string | undefined) | undefined = undefined,
): Guard => ({
  name: `parameter: ${name}`,
  skips: own ?? beforeOperations,
  graphql: { makeInvalid: (call) => ({ ...call, parameters }), refusals, ...(skips ? { skips } : {}) },
  rest: onlyGraphql,
});

const json = [refusal(400, 'json_invalid')];

export const malformedRequestGuards: Guard[] = [
  ofMediaType(undefined),
  ofMediaType('text/plain'),
  ofMediaType('application/x-www-form-urlencoded'),
  ofMediaType('multipart/form-data; boundary=x'),
  ofMediaType('application/graphql'),
  ofMediaType('application/json; charset=latin1'),
  ofMediaType('application/json', { 'content-encoding': 'gzip' }),
  withBody('that is cut off', '{"query": "mutation', badRequest, json),
  withBody('that is a list', '[{"query":"{ __typename }"}]', badRequest, json),
  withBody('that is a text', '"{ __typename }"', badRequest, json),
  withBody('that is null', 'null', badRequest, json),
  withBody('that is no UTF-8', Buffer.from('{"query":"\xff"}', 'latin1'), badRequest, json),
  withBody(
    'that is too large',
    Buffer.alloc(1024 * 1024 + 1, ' '),
    [refusal(413, 'BAD_REQUEST')],
    [refusal(413, 'body_too_large')],
  ),
  withBody('that is nested too deep', `{"query":${'['.repeat(1001)}${']'.repeat(1001)}}`, badRequest, json),
  withBody(
    'that is empty',
    '',
    badRequest,
    [...json, refusal(400, 'parameter_missing'), refusal(415, 'content_type_unsupported')],
    ['create'],
  ),
  parameter('variables that are a list', { variables: [] }, badRequest),
  parameter('variables that are a text', { variables: 'x' }, badRequest, beforeOperations, inBodies),
  parameter('variables that are a number', { variables: 1 }, badRequest),
  parameter('extensions that are a list', { extensions: [] }, badRequest, beforeOperations, asText),
  parameter('extensions that are a number', { extensions: 1 }, badRequest, beforeOperations, asText),
  parameter(
    'a hash that is an object',
    { extensions: { persistedQuery: { version: 1, sha256Hash: { toString: 1 } } } },
    badRequest,
    beforeOperations,
    asText,
  ),
  parameter(
    'a hash that is a number',
    { extensions: { persistedQuery: { version: 1, sha256Hash: 7 } } },
    badRequest,
    beforeOperations,
    asText,
  ),
  parameter(
    'the hash of another text',
    { extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } },
    badRequest,
    beforeFields,
    asText,
  ),
  parameter(
    'a hash that nobody knows',
    { query: undefined, extensions: { persistedQuery: { version: 1, sha256Hash: 'b'.repeat(64) } } },
    [refusal(200, 'PERSISTED_QUERY_NOT_FOUND')],
    beforeOperations,
    asText,
  ),
  ...['Nope', '__proto__'].map((name) =>
    parameter(
      `operationName ${JSON.stringify(name)}, which no operation has`,
      { operationName: name },
      unresolved,
      beforeFields,
    ),
  ),
  ...[1, ['Main']].map((name) =>
    parameter(
      `operationName ${JSON.stringify(name)}, which is no text`,
      { operationName: name },
      unresolved,
      beforeFields,
    ),
  ),
  ...['', null].map(
    (operationName): Guard => ({
      name: `parameter: operationName ${JSON.stringify(operationName)} of several operations`,
      skips: beforeFields,
      graphql: {
        makeInvalid: (call) => ({ ...call, parameters: { operationName }, definitions: 'query Third { __typename }' }),
        refusals: [...unresolved, refusal('request', 'GRAPHQL_VALIDATION_FAILED')],
        skips: ({ transport }) => (operationName === null ? inBodies({ transport: transport ?? '' }) : undefined),
      },
      rest: onlyGraphql,
    }),
  ),
];
