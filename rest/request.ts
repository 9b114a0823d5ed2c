/**
 * A request as its endpoint understands it: path, query, headers and body become the variables of the operation, as the
 * endpoint's parameters and its body form say. Null is kept (it clears a field), and what the GraphQL types cannot check is
 * reported, such as unknown names.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { GraphQLString } from 'graphql';
import { isObject } from '../src/common/is-object.js';
import type { Parameter } from '../src/gateway/api.js';
import { parseJson, requireJson } from '../src/gateway/http/read-body.js';
import { valueCheck } from '../src/graphql/guards/check-input.js';
import { shortenedName, unknownName } from '../src/graphql/guards/value-problem.js';
import { errors } from '../src/model/errors/errors.js';
import type { GatewayError } from '../src/model/errors/gateway-error.js';
import { mostProblems, notListed } from '../src/model/errors/problem.js';
import { enumName } from '../src/model/names.js';
import type { RestEndpoint, Route } from './endpoints.js';
import { type RestProblem, restProblem, restProblemOf } from './errors.js';
import { asOf, type BodyForm, type BodyMember } from './parameters.js';

/** A REST request: its body is read but not yet parsed. */
export interface RestRequest {
  method: string;
  route: Route;
  /** Without the query, not decoded. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** At most `BODY_LIMIT` bytes; undefined where there is none. */
  body: Buffer | undefined;
  /** Why the stream that it asks for is refused from now on, if it is. */
  refusal: (() => GatewayError | undefined) | undefined;
}

export interface Sources {
  /** From the path, decoded. */
  id: string | undefined;
  headers: IncomingHttpHeaders;
  query: URLSearchParams;
  body: Readonly<Record<string, unknown>>;
}

export function variablesOf(endpoint: RestEndpoint, sources: Sources) {
  const { parameters, body: form, resource, method } = endpoint;
  const variables: Record<string, unknown> = {};
  const problems: RestProblem[] = [];
  for (const parameter of parameters) {
    if (parameter.variable) variables[parameter.variable] = valueIn(parameter, sources, problems);
  }
  if (form) readBody(form, sources.body, variables, problems);
  // Ignoring it would show the present as the past.
  if (resource && method === 'GET' && sources.query.has(asOf.name) && !parameters.includes(asOf))
    problems.push(restProblem(asOf.name, 'parameter_unknown', misplacedInstant));
  return { variables, problems };
}

const misplacedInstant = 'works for single records only; their answers then hold their lines';

/** The value of a parameter; undefined where the request does not have it. Adds what is wrong with it to `problems`. */
function valueIn(parameter: Parameter, sources: Sources, problems: RestProblem[]): unknown {
  const { name, read } = parameter;
  const text = textOf(parameter, sources, problems);
  if (text === undefined || !read) return text;
  const found = read(text);
  if ('value' in found) return found.value;
  problems.push(restProblem(name, 'parameter_invalid', found.problem));
  return undefined;
}

function textOf(parameter: Parameter, { id, headers, query }: Sources, problems: RestProblem[]): string | undefined {
  if (parameter.in === 'path') return id;
  if (parameter.in === 'header') return headers[parameter.name.toLowerCase()]?.toString();
  const values = query.getAll(parameter.name);
  if (values.length > 1)
    problems.push(restProblem(parameter.name, 'parameter_invalid', 'is given more than once; send it once'));
  return values[0];
}

function readBody(
  { variable, members, expected, lines, ignored }: BodyForm,
  body: Sources['body'],
  variables: Record<string, unknown>,
  problems: RestProblem[],
): void {
  const values: Record<string, unknown> = variable ? {} : variables;
  const wrong: RestProblem[] = [];
  if (variable) variables[variable] = values;
  for (const restName in body) {
    const value = body[restName];
    const member = members.get(restName);
    if (member) values[member.name] = value ?? values[member.name] ?? value;
    else if (!ignored.has(restName))
      problems.push(problems.length < mostProblems ? unknownMember(restName, members, lines) : oneMoreUnknown);
    if (member?.isList && value !== null && !Array.isArray(value))
      problems.push(restProblem(restName, 'parameter_invalid', 'must be a list of ids'));
    if (member?.words && value != null) values[member.name] = nameOf(restName, value, member, wrong);
  }
  // Wrong values come after unknown names, as do those that GraphQL finds.
  problems.push(...wrong);
  if (expected && values[expected.name] == null)
    problems.unshift(restProblem(expected.restName, 'parameter_missing', expected.missing));
}

/** The name in GraphQL of a word; adds what is wrong with it to `problems`. */
function nameOf(
  restName: string,
  value: unknown,
  { words, instead = '' }: BodyMember,
  problems: RestProblem[],
): unknown {
  const problem = textCheck(value, { oneOf: words }, false);
  if (problem) problems.push(restProblem(restName, 'parameter_invalid', problem + instead));
  return problem ? value : enumName(String(value));
}

const textCheck = valueCheck(GraphQLString);

const unknownMember = (name: string, members: BodyForm['members'], lines: BodyForm['lines']): RestProblem =>
  restProblem(shortenedName(name), 'parameter_unknown', lines?.get(name) ?? unknownName(name, [...members.keys()]));

const oneMoreUnknown = restProblemOf(notListed(1, 'parameter_unknown'));

/** The query of a request without parameters, as most are. */
const noParameters = new URLSearchParams();

/** The parameters in a request target, of which `path` is the part before them. */
export const queryOf = (target: string, path: string): URLSearchParams =>
  target.length > path.length ? new URLSearchParams(/\?([^#]*)/.exec(target)?.[1]) : noParameters;

export function decoded(segment: string | undefined): string | undefined {
  if (!segment?.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * Parses the body as a JSON object; an empty body is `{}`, because each operation checks its own required parameters.
 * Error messages never quote the body. @throws content_type_unsupported, json_invalid
 */
export function readObject(request: Pick<RestRequest, 'body' | 'headers' | 'method'>): Sources['body'] {
  const { body } = request;
  if (!body || body.length === 0) return {};
  requireJson(request);
  const value = parseJson(body);
  if (isObject(value)) return value;
  throw errors.badRequest('json_invalid', 'The body is JSON, but not an object; send {"name": value, …}.');
}

/** `?_explain=graphql` asks what a request would do instead of doing it. */
export const explainParameter = '_explain';
export const explainValue = 'graphql';

/** The parameters that are meant as this one, though some may be misspelled: `_EXPLAIN`, `_explain[]`, `explain=graphql`. */
export const explainParametersIn = (query: URLSearchParams): [name: string, value: string][] =>
  [...query].filter(([name, value]) => isMeant(name, value));

/**
 * Whether a request asks to be explained, even if by a name or a value that is refused: it is then never performed. A
 * client that misspells it expects that nothing happens, so a misspelled one is not ignored as other unknown parameters
 * are.
 */
export const asksToExplain = (query: URLSearchParams): boolean =>
  query.size > 0 && explainParametersIn(query).length > 0;

function isMeant(name: string, value: string): boolean {
  const letters = name.replace(/[^a-z]/gi, '').toLowerCase();
  return letters === 'explain' && (name.startsWith('_') || value.toLowerCase() === explainValue);
}

export const operationHeader = 'X-GraphQL-Operation';
export const ignoredHeader = 'X-Ignored-Parameters';

/** The most characters of `X-Ignored-Parameters`; names that do not fit are left out, and `...` says so. */
export const mostIgnored = 500;

/** Adds the headers that show how the request was understood: alternating names and values. */
export function addEndpointHeaders(
  headers: string[],
  { name, parameters, stream }: RestEndpoint,
  query: URLSearchParams,
): void {
  headers.push(operationHeader, name);
  // A stream refuses what it does not know.
  if (query.size === 0 || stream) return;
  const isKnown = (given: string) =>
    given === explainParameter || parameters.some((parameter) => parameter.in === 'query' && parameter.name === given);
  const ignored = [...new Set(query.keys())].filter((given) => !isKnown(given));
  if (ignored.length > 0) headers.push(ignoredHeader, listed(ignored));
}

/** The names, percent-encoded, because a header must hold no line breaks, and a comma separates names. */
function listed(names: readonly string[]): string {
  let text = '';
  for (const name of names) {
    // Encoding only lengthens a name, so one that is too long need not be encoded.
    const encoded = name.length > mostIgnored ? '' : encodeURIComponent(name);
    const longer = text === '' ? encoded : `${text}, ${encoded}`;
    if (name.length > mostIgnored || longer.length > mostIgnored) return text === '' ? '...' : `${text}, ...`;
    text = longer;
  }
  return text;
}
