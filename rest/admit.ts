/**
 * Finds the endpoint of a REST request, and makes its admitted GraphQL operation. Whatever comes after it, performing or
 * explaining, has passed the same checks.
 */
import {
  type DocumentNode,
  FieldsOnCorrectTypeRule,
  type GraphQLError,
  type GraphQLSchema,
  KnownArgumentNamesRule,
  KnownTypeNamesRule,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  VariablesInAllowedPositionRule,
} from 'graphql';
import type { RequestContext } from '../src/change/context.js';
import { noteRefusal } from '../src/change/observation.js';
import { isObject } from '../src/common/is-object.js';
import { type MaybePromise, recoverWith } from '../src/common/maybe-promise.js';
import { nearest } from '../src/common/nearest.js';
import { parseJson, requireJson } from '../src/gateway/http/read-body.js';
import { createVariableCheck } from '../src/graphql/guards/variable-problems.js';
import type { Admission, Operation } from '../src/graphql/operation/admission.js';
import { selectDefinition } from '../src/graphql/operation/definition.js';
import { StoredDocument } from '../src/graphql/operation/stored-document.js';
import { errors } from '../src/model/errors/errors.js';
import { GatewayError } from '../src/model/errors/gateway-error.js';
import { isStorableText } from '../src/model/field.js';
import { pastIdIn } from '../src/model/ids.js';
import { wordOf } from '../src/model/names.js';
import { isIdOf } from '../src/model/resource.js';
import { mayRead, requiredScopes, requireScopes } from '../src/model/scopes.js';
import { type RestProblem, restProblemOf, toRestError, toRestProblems } from './errors.js';
import type { RestOperation } from './operations.js';
import { misplacedInstant, pastDocumentFor } from './request/as-of.js';
import { type TranslatedVariables, variablesOf } from './request/variables.js';
import type { RestRequest, RestResponse } from './response.js';
import type { Route } from './route.js';

/** A request whose operation may be executed. */
export interface AdmittedRequest {
  endpoint: RestOperation;
  operation: Operation;
  variables: TranslatedVariables['variables'];
}

/** Admits a request, or answers it. @throws GatewayError */
export type AdmitRest = (request: RestRequest, context: RequestContext) => AdmittedRequest | RestResponse;

export interface AdmitParts {
  schema: GraphQLSchema;
  admission: Admission;
  operations: readonly RestOperation[];
}

/** Handles a request. Rejects only with unexpected errors, which the endpoint masks and logs. */
export type HandleRest = (request: RestRequest, context: RequestContext) => MaybePromise<RestResponse>;

export function createRestAdmission({ schema, admission, operations }: AdmitParts): AdmitRest {
  const storedDocumentOf = createStoredDocuments(schema);
  const bases = new Set(operations.map(({ resource }) => resource.base));

  return (request, context) => {
    const errorRequest = { requestId: context.requestId, accept: request.headers.accept };
    const { route, query, headers } = request;
    if (!route || 'allow' in route) {
      noteRefusal(context.observation, { code: 'BAD_REQUEST', details: { reason: unroutedReason(route) } });
      return unroutedResponse(request, route, errorRequest, bases);
    }
    const { operation: endpoint } = route;
    const { identity } = context;
    requireScopes(identity, endpoint.scopes);
    const id = decoded(route.id);
    if (id !== undefined && !mayExist(endpoint, id)) throw errors.notFound(endpoint.resource.title, id);
    const body = endpoint.body ? readObject(request) : {};
    const { variables, problems } = variablesOf(endpoint, { id, headers, query, body });
    problems.push(...misplacedInstant(endpoint, query));
    if (problems.length > 0) {
      noteRefusal(context.observation, { code: 'BAD_USER_INPUT', details: { reason: problems[0]?.code ?? '' } });
      return toRestProblems(allProblems(problems, schema, endpoint, variables), errorRequest);
    }
    const past = pastDocumentFor(endpoint, variables);
    const document = past ?? (mayRead(identity, endpoint.resource) ? endpoint.document : endpoint.blindDocument);
    const operation = admission.fromStored(storedDocumentOf(endpoint.name, document), variables);
    return { endpoint, operation, variables };
  };
}

/**
 * Whether the endpoint can have a record with this id. Histories are found by the id alone, so it must fit the type. The ids that
 * GraphQL gives to states of the past name no record here: REST shows only the record's own.
 */
const mayExist = ({ operation, resource }: RestOperation, id: string): boolean =>
  isStorableText(id) && !pastIdIn(id) && (operation !== 'history' || isIdOf(resource, id));

/** Answers the refusals that the handler throws; any other error is thrown again. */
export const answeringErrors =
  (handle: HandleRest): HandleRest =>
  (request, context) =>
    recoverWith(
      () => handle(request, context),
      (error) => {
        if (!(error instanceof GatewayError)) throw error;
        noteRefusal(context.observation, error);
        return toRestError(error, { requestId: context.requestId, accept: request.headers.accept });
      },
    );

/** @throws FORBIDDEN where what the variables would change needs another scope than the endpoint, such as submit */
export function requireScopesOf({ endpoint, variables }: AdmittedRequest, { identity }: RequestContext): void {
  const input: Record<string, unknown> = typeof variables.input === 'object' ? { ...variables.input } : {};
  if (endpoint.operation === 'history') return;
  const { status } = input;
  const stored = typeof status === 'string' ? { ...input, status: wordOf(status) } : input;
  requireScopes(identity, requiredScopes(endpoint.resource, endpoint.operation, { input: stored }));
}

/** The response if the path or method has no operation: to OPTIONS, 404 or 405. */
function unroutedResponse(
  { method, path }: RestRequest,
  route: Exclude<Route, { operation: RestOperation }>,
  errorRequest: Parameters<typeof toRestError>[1],
  bases: ReadonlySet<string>,
): RestResponse {
  const reason = unroutedReason(route);
  if (!route) return toRestError(errors.badRequest(reason, nothingAt(path, bases)), errorRequest);
  const methods = [...route.allow, ...(route.allow.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
  const headers = { Allow: methods.join(', ') };
  if (method === 'OPTIONS') return { status: 204, headers, body: undefined };
  const refusal = toRestError(errors.badRequest(reason, otherMethod(method, route.allow)), errorRequest);
  return { ...refusal, headers: { ...refusal.headers, ...headers } };
}

/** What to send instead. A record has a path of its own below that of its list. */
function otherMethod(method: string, allow: readonly string[]): string {
  const taken = `This path takes ${allow.join(', ')}, not ${method}`;
  if (method === 'PUT' && allow.includes('PATCH'))
    return `${taken}: send PATCH, which changes the fields in its body and leaves the others.`;
  const isOfRecord = ['PUT', 'PATCH', 'DELETE'].includes(method) && allow.includes('GET');
  return isOfRecord ? `${taken}: that is done at the path of a record, which ends with its id.` : `${taken}.`;
}

const unroutedReason = (route: Route) => (route ? 'method_not_allowed' : 'route_not_found');
/** The message for an unknown path that is similar to a known one; undefined for other paths. */
function nothingAt(path: string, bases: ReadonlySet<string>): string | undefined {
  const meant = path.length <= 100 ? nearest(path, bases) : undefined;
  return meant && `There is nothing at this path; did you mean \`${meant}\`?`;
}

/** The problems found here and those of the variables' GraphQL types, so that the client gets all at once. */
function allProblems(
  problems: RestProblem[],
  schema: GraphQLSchema,
  { document }: RestOperation,
  variables: TranslatedVariables['variables'],
): RestProblem[] {
  const named = new Set(problems.map(({ param }) => param));
  const found = createVariableCheck(schema)(document, selectDefinition(document, undefined), variables);
  const others = found.map(restProblemOf);
  return [...problems, ...others.filter(({ param, more }) => more !== undefined || !named.has(param))];
}

function decoded(segment: string | undefined): string | undefined {
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
function readObject({
  body,
  headers,
  method,
}: Pick<RestRequest, 'body' | 'headers' | 'method'>): Readonly<Record<string, unknown>> {
  if (!body || body.length === 0) return {};
  requireJson({ headers, method });
  const value = parseJson(body);
  if (isObject(value)) return value;
  throw errors.badRequest('json_invalid', 'The body is JSON, but not an object; send {"name": value, …}.');
}

/**
 * Returns a document of an endpoint as a stored one; `name` is the operation's, for the error. It is validated at its first use, because validating all of
 * them takes a tenth of the start; a test validates all. @throws Error that names the operation and the problem
 */
type StoredDocumentOf = (name: string, document: DocumentNode) => StoredDocument;

/** Cached, because all gateways of a process share a schema. */
const known = new WeakMap<GraphQLSchema, WeakMap<DocumentNode, StoredDocument>>();

export function createStoredDocuments(schema: GraphQLSchema): StoredDocumentOf {
  const stored = known.get(schema) ?? new WeakMap<DocumentNode, StoredDocument>();
  known.set(schema, stored);
  return (name, document) => {
    const found = stored.get(document) ?? StoredDocument.store(schema, document, rules);
    if (!(found instanceof StoredDocument)) throw new Error(`REST operation ${name}: ${messagesOf(found)}`);
    stored.set(document, found);
    return found;
  };
}

const messagesOf = (faults: readonly GraphQLError[]): string => faults.map(({ message }) => message).join(' ');

/** The rules of validation that generated documents could break. */
const rules = [
  FieldsOnCorrectTypeRule,
  KnownArgumentNamesRule,
  KnownTypeNamesRule,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  VariablesInAllowedPositionRule,
];
