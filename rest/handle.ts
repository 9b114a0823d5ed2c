/**
 * The REST interface as a function from a request to a response. Each request becomes the GraphQL operation of its
 * endpoint, and is admitted and executed like an operation of `/graphql`.
 */
import type { GraphQLSchema } from 'graphql';
import { mayRead, requireScopes } from '../src/access/scopes.js';
import type { RequestContext } from '../src/context.js';
import { errors, GatewayError } from '../src/errors.js';
import type { Execute } from '../src/execution/executor.js';
import { type MaybePromise, recoverWith, whenResolved } from '../src/maybe-promise.js';
import { isStorableText } from '../src/model/storable.js';
import { nearest } from '../src/nearest.js';
import { noteErrors } from '../src/observation.js';
import type { Admission } from '../src/operation/admission.js';
import { selectDefinition } from '../src/operation/definition.js';
import { createVariableCheck } from '../src/schema/guards/variable-problems.js';
import { readJson } from './body.js';
import { toRestError, toRestProblems } from './errors.js';
import type { RestOperation } from './operations.js';
import { type RestProblem, restProblemOf } from './problem.js';
import type { RestRequest, RestResponse } from './response.js';
import type { FindRoute, Route } from './route.js';
import { createStoredDocuments } from './stored-documents.js';
import { successResponse } from './success-response.js';
import { type TranslatedVariables, variablesOf } from './variables.js';

/** Handles a request. Rejects only with unexpected errors, which the endpoint masks and logs. */
export type HandleRest = (request: RestRequest, context: RequestContext) => MaybePromise<RestResponse>;

export interface RestParts {
  schema: GraphQLSchema;
  admission: Admission;
  execute: Execute;
  operations: readonly RestOperation[];
  routeOf: FindRoute;
}

export function createRestHandler({ schema, admission, execute, operations, routeOf }: RestParts): HandleRest {
  const storedDocumentOf = createStoredDocuments(schema);
  const bases = new Set(operations.map(({ resource }) => resource.base));

  const answer = (request: RestRequest, context: RequestContext): MaybePromise<RestResponse> => {
    const errorRequest = { requestId: context.requestId, accept: request.headers.accept };
    const route = routeOf(request.method === 'HEAD' ? 'GET' : request.method, request.path);
    if (!route || 'allow' in route) return unroutedResponse(request, route, errorRequest, bases);
    const { operation } = route;
    requireScopes(context.identity, operation.scopes);
    const id = decoded(route.id);
    if (id !== undefined && !isStorableText(id)) throw errors.notFound(operation.resource.title, id);
    const { query, headers } = request;
    const body = operation.body ? readJson(request) : {};
    const { variables, problems } = variablesOf(operation, { id, headers, query, body });
    if (problems.length > 0) {
      noteErrors(context.observation, ['BAD_USER_INPUT']);
      return toRestProblems(allProblems(problems, schema, operation, variables), errorRequest);
    }
    const document = mayRead(context.identity, operation.resource) ? operation.document : operation.blindDocument;
    const admitted = admission.fromStored(storedDocumentOf(operation, document), variables);
    return whenResolved(execute(admitted, context), (outcome) =>
      successResponse(operation, outcome, variables, request),
    );
  };

  return (request, context) =>
    recoverWith(
      () => answer(request, context),
      (error) => {
        if (!(error instanceof GatewayError)) throw error;
        noteErrors(context.observation, [error.code]);
        return toRestError(error, { requestId: context.requestId, accept: request.headers.accept });
      },
    );
}

/** The response if the path or method has no operation: to OPTIONS, 404 or 405. */
function unroutedResponse(
  { method, path }: RestRequest,
  route: Exclude<Route, { operation: RestOperation }>,
  errorRequest: Parameters<typeof toRestError>[1],
  bases: ReadonlySet<string>,
): RestResponse {
  if (!route) return toRestError(errors.badRequest('route_not_found', nothingAt(path, bases)), errorRequest);
  const methods = [...route.allow, ...(route.allow.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
  const headers = { Allow: methods.join(', ') };
  if (method === 'OPTIONS') return { status: 204, headers, body: undefined };
  const refusal = toRestError(errors.badRequest('method_not_allowed'), errorRequest);
  return { ...refusal, headers: { ...refusal.headers, ...headers } };
}

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
  const others = createVariableCheck(schema)(selectDefinition(document, undefined), variables).map(restProblemOf);
  return [...problems, ...others.filter(({ param }) => !named.has(param))];
}

function decoded(segment: string | undefined): string | undefined {
  if (!segment?.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
