/**
 * Compares every answer of REST with its OpenAPI description: a status, header or member of the body that is not
 * described fails the test that sent the request. Always on. The description of an operation is made when it is first
 * used.
 */
import { STATUS_CODES } from 'node:http';
import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';
import { describeComponents, extensions } from '../../rest/description/describe.js';
import { type DescribedOperation, describeOperation } from '../../rest/description/describe-operation.js';
import { refusalsByStatus } from '../../rest/description/refusals.js';
import { headersOfEveryAnswer, ofDefaults, type Response } from '../../rest/description/responses.js';
import { isObject } from '../../src/common/is-object.js';
import { oncePer } from '../../src/common/kept.js';
import { tokenRows } from '../../src/features/people/tokens/token-refusals.js';
import type { Deprecations } from '../../src/features/usage/deprecations.js';
import { deprecatedOperation, headersOfDeprecated } from '../../src/features/usage/serve-usage.js';
import type { ServedFeature } from '../../src/gateway/feature.js';
import { securityHeaders } from '../../src/gateway/http/answer/headers.js';
import { pathOf } from '../../src/gateway/http/visit.js';
import { restEndpoints } from './rest-operations.js';
import { schema, serving } from './schema.js';

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
export function requireDescribed(
  exchange: Exchange,
  deprecations: Deprecations = none,
  features: readonly ServedFeature[] = serving,
): void {
  const check = bodiesOf(features.find(({ grants }) => grants?.value) ?? usual);
  const problem = isRest(exchange.path) ? problemOf(exchange, deprecations, check) : undefined;
  if (!problem) return;
  const { method, path, status, text } = exchange;
  throw new Error(
    `${method} ${path.slice(0, 200)} was answered ${status}, as OpenAPI does not describe it: ${problem}\n${text.slice(0, 500)}`,
  );
}

/** @throws an error that says what is not described in an event of `/api/events` */
export function requireDescribedEvent(name: string | undefined, data: unknown): void {
  const problem =
    name && events?.[name]
      ? bodiesOf(usual)({ $ref: `${id}#/events/${name}/data` }, data)
      : 'no event of this name is described';
  if (problem) throw new Error(`The event ${name} is not as OpenAPI describes it: ${problem}`);
}

const isRest = (path: string): boolean => path.startsWith('/api/');

const none: Deprecations = new Map();

function problemOf(exchange: Exchange, deprecations: Deprecations, problemOfBody: ProblemOfBody): string | undefined {
  const { method, path, status, headers, text, body } = exchange;
  if (headers['access-control-allow-methods'] !== undefined) return undefined; // a preflight, which is of CORS
  if (headers['x-request-id'] === undefined) return undefined; // Node itself refuses what is not HTTP
  const methods = methodsAt(pathOf(path));
  const operation = methods?.get(method === 'HEAD' ? 'GET' : method)?.(deprecations);
  const response = operation ? responseOf(operation, status) : withoutOperation(methods, method, status);
  const explained = operation && /[?&](_|%5F)explain=/i.test(path) && status === 200;
  if (!response && !explained) return 'the status is not described';
  const described = describedHeaders(response, operation?.deprecated);
  const undescribed = Object.keys(headers).filter((name) => !described.has(name));
  const allow = operation ? [] : ['allow'];
  const surprising = undescribed.filter((name) => !ofHttp.has(name) && !allow.includes(name));
  if (surprising.length > 0 && !explained) return `the header ${surprising.join(', ')}`;
  if (method === 'HEAD' || status === 204 || status === 304) return text === '' ? undefined : 'there is a body';
  if (explained) return problemOfBody({ $ref: `${id}#/x-explain/answer` }, body);
  const type = String(headers['content-type']).split(';')[0] ?? '';
  const refusal = status >= 400 ? refusalIn(type, status, body) : undefined;
  const schema = response?.content?.[refusal ? 'application/json' : type]?.schema;
  if (!schema) return `the media type ${type}`;
  if (type === 'text/event-stream') return undefined;
  if (refusal && !codes.get(status)?.some(([code]) => code === refusal.error.code))
    return `the code ${refusal.error.code}`;
  const problem = problemOfBody(schema, refusal ?? body);
  const blind = response['x-answer-without-read-scope'];
  return problem && blind && problemOfBody(blind, body) === undefined ? undefined : problem;
}

const id = 'description';
/** Those of gateways with ISSUERS too, whose errors only they describe. */
const ofTokens: ServedFeature = { errors: { after: 'api_key_invalid', rows: tokenRows } };
const described = [...serving, ofTokens];
const components = describeComponents(restEndpoints, schema, described);
const codes = refusalsByStatus(described);
const streamed = restEndpoints.find(({ stream }) => stream);
const stream = streamed && responseOf(describeOperation(streamed), 200)?.content?.['text/event-stream']?.schema;
const events = stream?.['x-events'];

/** The body of a refusal in the form that is described; that of RFC 9457 is described in words. */
function refusalIn(
  type: string,
  status: number,
  body: unknown,
): { error: Record<string, unknown> & { code: string } } | undefined {
  const { title, status: repeated, detail, type: kind, ...error } = Object(body);
  if (type === 'application/json') return Object(body).error && Object(body);
  const isComplete = kind === 'about:blank' && title === STATUS_CODES[status] && repeated === status;
  if (type !== 'application/problem+json' || !isComplete || detail !== error.message) return undefined;
  return { error: { ...error, type: '' } };
}

/** Undescribed members are problems here, although clients have to accept new members. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict);
  if (!isObject(value)) return value;
  if (Array.isArray(value.allOf)) return strict(asOne(value.allOf));
  const inner = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, strict(each)]));
  return isObject(value.properties) && value.type === 'object' ? { additionalProperties: false, ...inner } : inner;
}

/** The parts of a schema as one object: each by itself would take what the others describe for undescribed. */
function asOne(parts: readonly unknown[]): object {
  const all = parts.map((part): { properties?: object; required?: string[] } => {
    const [, name = ''] = /^#\/components\/schemas\/(\w+)$/.exec(Object(part).$ref ?? '') ?? [];
    return Object(name ? components.schemas[name] : part);
  });
  return {
    type: 'object',
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    required: all.flatMap(({ required = [] }) => required),
  };
}

interface AnswerSchema {
  $ref?: string;
  anyOf?: readonly AnswerSchema[];
}

type ProblemOfBody = (schema: AnswerSchema, body: unknown) => string | undefined;

const usual: Pick<ServedFeature, 'describe'> = {};

/** Compares bodies with the description to which the feature has added what its roles hide. */
const bodiesOf = oncePer(({ describe }: Pick<ServedFeature, 'describe'>): ProblemOfBody => {
  const own = { ...components, schemas: { ...components.schemas } };
  describe?.({ paths: {}, webhooks: {}, components: own });
  const description = JSON.stringify({ components: own, ...extensions, events });
  // The roles of most gateways hide the same, and a description takes a tenth of a second to compile.
  const made = compared.get(description) ?? comparing(description);
  compared.set(description, made);
  return made;
});

const compared = new Map<string, ProblemOfBody>();

function comparing(description: string): ProblemOfBody {
  // Whether the description is a right one is asked by its own tests; here it would take a second of each process.
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    allErrors: false,
    meta: false,
    validateSchema: false,
  });
  ajv.addSchema({ $id: id, ...Object(strict(JSON.parse(description))) });
  const validators = new Map<string, ValidateFunction>();
  const problemOfBody: ProblemOfBody = ({ $ref = '', anyOf }, body) => {
    if (anyOf) {
      const problems = anyOf.map((each) => problemOfBody(each, body));
      return problems.includes(undefined) ? undefined : problems.join('; ');
    }
    const reference = $ref.replace(/^#/, `${id}#`);
    const known = validators.get(reference) ?? ajv.compile<AnySchema>({ $ref: reference });
    validators.set(reference, known);
    if (known(body)) return undefined;
    return ajv.errorsText(known.errors, { dataVar: 'body' }).concat(` ${JSON.stringify(known.errors?.[0]?.params)}`);
  };
  return problemOfBody;
}

/** The description without deprecations is made once, when it is first asked for. */
type Describe = (deprecations: Deprecations) => DescribedOperation;
type Methods = ReadonlyMap<string, Describe>;

function describer(name: string, describe: () => DescribedOperation): Describe {
  let made: DescribedOperation | undefined;
  return (deprecations) => {
    const deprecation = deprecations.get(name);
    made ??= describe();
    return deprecation ? deprecatedOperation(made, deprecation, components.responses) : made;
  };
}

const paths = new Map<string, Map<string, Describe>>();
for (const endpoint of restEndpoints) {
  const methods = paths.get(endpoint.path) ?? new Map<string, Describe>();
  methods.set(
    endpoint.method,
    describer(endpoint.name, () => describeOperation(endpoint)),
  );
  paths.set(endpoint.path, methods);
}

/** The fifth segment of a path is the id; a path without an id comes first. */
function methodsAt(path: string): Methods | undefined {
  const templated = paths.get(path.replace(/^((?:\/[^/]+){3})\/[^/]+/, '$1/{id}'));
  const fixed = paths.get(path);
  return fixed && templated ? new Map([...templated, ...fixed]) : (fixed ?? templated);
}

function responseOf({ responses }: DescribedOperation, status: number): Response | undefined {
  const response = responses[status] ?? responses.default;
  if (!response || !('$ref' in response)) return response;
  const name = response.$ref.split('/').at(-1) ?? '';
  const isOther = name === 'Refused' || name === 'RefusedWithBody';
  return isOther && !ofDefaults[name].includes(status) ? undefined : shared(name);
}

const responses: Readonly<Record<string, Response>> = components.responses;
const shared = (name: string): Response | undefined => responses[name];

/** Answers that belong to no operation: for an unknown path, another method, and errors that any request may get. */
function withoutOperation(methods: Methods | undefined, method: string, status: number): Response | undefined {
  if (methods && method === 'OPTIONS' && status === 204) return { description: 'The methods of the path.' };
  if (status === 404 && methods) return undefined;
  return [400, 404, 405, ...ofDefaults.RefusedWithBody].includes(status) ? responses.Refused : undefined;
}

const describedHeaders = (response: Response | undefined, isDeprecated = false): ReadonlySet<string> =>
  new Set(
    [
      ...Object.keys(response?.headers ?? {}),
      ...Object.keys(headersOfEveryAnswer(restEndpoints)),
      ...(isDeprecated ? Object.keys(headersOfDeprecated) : []),
    ].map((name) => name.toLowerCase()),
  );

/** Headers that every HTTP server has, and those of security and of CORS, which have nothing to do with the operation. */
const ofHttp: ReadonlySet<string> = new Set([
  ...['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'content-type', 'content-encoding'],
  ...['vary', 'cache-control', 'x-accel-buffering', 'access-control-allow-origin', 'access-control-expose-headers'],
  ...securityHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()),
]);
