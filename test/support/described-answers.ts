/**
 * Compares every answer of REST with its OpenAPI description: a status, header or member of the body that is not
 * described fails the test that sent the request. Always on. The description of an operation is made when it is first
 * used.
 */
import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';
import { changesPath } from '../../rest/changes.js';
import { describeComponents } from '../../rest/description/describe.js';
import { describeChanges } from '../../rest/description/describe-changes.js';
import { describeEvents } from '../../rest/description/describe-events.js';
import { type DescribedOperation, describeOperation } from '../../rest/description/describe-operation.js';
import type { Response } from '../../rest/description/responses.js';
import { eventsPath } from '../../rest/events.js';
import { changesName, eventsName } from '../../rest/operation-names.js';
import type { Deprecations } from '../../src/deprecation/deprecations.js';
import { securityHeaders } from '../../src/http/answer/security-headers.js';
import { pathOf } from '../../src/http/observe.js';
import { isObject } from '../../src/is-object.js';
import { restOperations } from './rest-operations.js';
import { schema } from './schema.js';

export interface Exchange {
  method: string;
  /** With the query. */
  path: string;
  status: number;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it came. */
  text: string;
  /** The same parsed, if it is JSON. */
  body: unknown;
}

/** @throws an error that lists what is not described */
export function requireDescribed(exchange: Exchange, deprecations: Deprecations = none): void {
  const problem = isRest(exchange.path) ? problemOf(exchange, deprecations) : undefined;
  if (!problem) return;
  const { method, path, status, text } = exchange;
  throw new Error(
    `${method} ${path.slice(0, 200)} was answered ${status}, as OpenAPI does not describe it: ${problem}\n${text.slice(0, 500)}`,
  );
}

const isRest = (path: string): boolean => path.startsWith('/api/');

const none: Deprecations = new Map();

function problemOf(exchange: Exchange, deprecations: Deprecations): string | undefined {
  const { method, path, status, headers, text, body } = exchange;
  if (headers['access-control-allow-methods'] !== undefined) return undefined; // a preflight, which is of CORS
  if (headers['x-request-id'] === undefined) return undefined; // Node itself refuses what is not HTTP
  const methods = methodsAt(pathOf(path));
  const operation = methods?.get(method === 'HEAD' ? 'GET' : method)?.(deprecations);
  const response = operation ? responseOf(operation, status) : withoutOperation(methods, method, status);
  const explained = operation && /[?&](_|%5F)explain=/i.test(path) && status === 200;
  if (!response && !explained) return 'the status is not described';
  const undescribed = Object.keys(headers).filter((name) => !describedHeaders(response).has(name));
  const allow = operation ? [] : ['allow'];
  const surprising = undescribed.filter((name) => !ofHttp.has(name) && !allow.includes(name));
  if (surprising.length > 0 && !explained) return `the header ${surprising.join(', ')}`;
  if (method === 'HEAD' || status === 204 || status === 304) return text === '' ? undefined : 'there is a body';
  if (explained) return problemOfBody({ $ref: `${id}#/components/schemas/Explanation` }, body);
  const type = String(headers['content-type']).split(';')[0] ?? '';
  const described = response?.content?.[type];
  if (!described) return `the media type ${type}`;
  if (type === 'text/event-stream') return undefined;
  const problem = problemOfBody(described.schema, body);
  const blind = response['x-answer-without-read-scope'];
  return problem && blind && problemOfBody(blind, body) === undefined ? undefined : problem;
}

const id = 'description';
const components = strict(JSON.parse(JSON.stringify(describeComponents(restOperations, schema))));
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
ajv.addSchema({ $id: id, components });

/** Undescribed members are problems here, although clients have to accept new members. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict);
  if (!isObject(value)) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, strict(each)]));
  return isObject(value.properties) && value.type === 'object' ? { additionalProperties: false, ...inner } : inner;
}

const validators = new Map<string, ValidateFunction>();

function problemOfBody({ $ref = '' }: { $ref?: string }, body: unknown): string | undefined {
  const reference = $ref.replace(/^#/, `${id}#`);
  const known = validators.get(reference) ?? ajv.compile<AnySchema>({ $ref: reference });
  validators.set(reference, known);
  if (known(body)) return undefined;
  return ajv.errorsText(known.errors, { dataVar: 'body' }).concat(` ${JSON.stringify(known.errors?.[0]?.params)}`);
}

/**
 * The description without deprecations is made once. With deprecations it is made each time, because few tests have
 * any.
 */
type Describe = (deprecations: Deprecations) => DescribedOperation;
type Methods = ReadonlyMap<string, Describe>;

const paths = new Map<string, Map<string, Describe>>();
for (const endpoint of restOperations) {
  const methods = paths.get(endpoint.path) ?? new Map<string, Describe>();
  let described: DescribedOperation | undefined;
  methods.set(endpoint.method, (deprecations) => {
    const deprecation = deprecations.get(endpoint.name);
    if (deprecation) return describeOperation(endpoint, deprecation);
    described ??= describeOperation(endpoint);
    return described;
  });
  paths.set(endpoint.path, methods);
}
paths.set(
  changesPath,
  new Map([['GET', (each: Deprecations) => describeChanges(restOperations, each.get(changesName))]]),
);
paths.set(eventsPath, new Map([['GET', (each: Deprecations) => describeEvents(restOperations, each.get(eventsName))]]));

/** The fifth segment of a path is the id; a path without an id comes first. */
function methodsAt(path: string): Methods | undefined {
  const templated = paths.get(path.replace(/^((?:\/[^/]+){3})\/[^/]+/, '$1/{id}'));
  const fixed = paths.get(path);
  return fixed && templated ? new Map([...templated, ...fixed]) : (fixed ?? templated);
}

function responseOf({ responses }: DescribedOperation, status: number): Response | undefined {
  const response = responses[status];
  if (!response || !('$ref' in response)) return response;
  return shared(response.$ref.split('/').at(-1) ?? '');
}

const { responses } = describeComponents(restOperations, schema);
const shared = (name: string): Response | undefined => responses[name];

/** Answers that belong to no operation: for an unknown path, another method, and errors that any request may get. */
function withoutOperation(methods: Methods | undefined, method: string, status: number): Response | undefined {
  if (methods && method === 'OPTIONS' && status === 204) return { description: 'The methods of the path.' };
  if (status === 404 && methods) return undefined;
  const names: Record<number, string> = {
    400: 'BadRequest',
    401: 'Unauthorized',
    403: 'Forbidden',
    404: 'NotFound',
    405: 'MethodNotAllowed',
    408: 'RequestTimeout',
    413: 'PayloadTooLarge',
    415: 'UnsupportedMediaType',
    417: 'ExpectationFailed',
    429: 'TooManyRequests',
    431: 'RequestHeaderFieldsTooLarge',
    500: 'InternalServerError',
    503: 'ServiceUnavailable',
    504: 'GatewayTimeout',
  };
  return shared(names[status] ?? '');
}

const described = new WeakMap<Response, ReadonlySet<string>>();

function describedHeaders(response: Response | undefined): ReadonlySet<string> {
  if (!response) return new Set();
  const known =
    described.get(response) ?? new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()));
  described.set(response, known);
  // A path without an endpoint has the headers of requests as well.
  return response.headers ? known : ofRequests;
}

const ofRequests: ReadonlySet<string> = new Set(
  Object.keys(responses.NotFound?.headers ?? {}).map((name) => name.toLowerCase()),
);

/** Headers that every HTTP server has, and those of security and of CORS, which have nothing to do with the operation. */
const ofHttp: ReadonlySet<string> = new Set([
  ...['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'content-type', 'content-encoding'],
  ...['vary', 'cache-control', 'x-accel-buffering', 'access-control-allow-origin', 'access-control-expose-headers'],
  ...securityHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()),
]);
