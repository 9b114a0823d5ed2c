/**
 * The REST interface: finds the endpoint of a request, reads the request, and answers it. Each becomes the GraphQL operation of
 * its endpoint, and is admitted and executed like an operation of `/graphql`.
 */
import type { Arrival, RequestContext } from '../src/change/context.js';
import { noteRefusal } from '../src/change/observation.js';
import { type MaybePromise, recoverWith, whenResolved } from '../src/common/maybe-promise.js';
import { nearest } from '../src/common/nearest.js';
import type { EndpointStream } from '../src/gateway/api.js';
import { type AskedStream, type Surface, withStandbys } from '../src/gateway/call.js';
import type { Way } from '../src/gateway/execution/way.js';
import type { ApiParts, CreateApi } from '../src/gateway/gateway.js';
import { accepts } from '../src/gateway/http/answer/headers.js';
import type { HttpAnswer } from '../src/gateway/http/answer/send.js';
import { isJson, readBody } from '../src/gateway/http/read-body.js';
import type { Visit } from '../src/gateway/http/visit.js';
import { errors } from '../src/model/errors/errors.js';
import { GatewayError } from '../src/model/errors/gateway-error.js';
import { hasScope } from '../src/model/scopes.js';
import { descriptionFiles } from './description/files.js';
import { createRestEndpoints, createRoutes, type RestEndpoint, type Route } from './endpoints.js';
import { answerFault, refuseRest, toRestError } from './errors.js';
import { explanationOf, requireExplainValue, requireScopesOf } from './explain.js';
import { RestAdmission, successResponse } from './operation.js';
import { addEndpointHeaders, asksToExplain, queryOf, type RestRequest } from './request.js';

export const createRestApi: CreateApi = (resources, features) => {
  const endpoints = createRestEndpoints(resources, features);
  return {
    endpoints,
    serve: (parts) => ({
      surface: new Rest(endpoints, parts),
      files: descriptionFiles(endpoints, parts),
      answerFault,
    }),
  };
};

type Found = Extract<Route, { endpoint: RestEndpoint }>;

/** Everything under `/api`. */
export class Rest implements Surface<RestRequest> {
  readonly refuse = refuseRest;
  readonly #admission: RestAdmission;
  readonly #routeOf: ReturnType<typeof createRoutes>;
  readonly #bases: ReadonlySet<string>;

  constructor(
    endpoints: readonly RestEndpoint[],
    private readonly parts: ApiParts,
  ) {
    this.#admission = new RestAdmission(parts.schema, parts.admission);
    this.#routeOf = createRoutes(endpoints);
    this.#bases = new Set(endpoints.flatMap(({ resource }) => resource?.base ?? []));
  }

  read(visit: Visit, arrival: Arrival): MaybePromise<RestRequest> {
    const { request, path } = visit;
    const { method = 'GET', url = '/', headers } = request;
    const route = this.#routeOf(method, path);
    const query = queryOf(url, path);
    const asked: RestRequest = { method, route, path, query, headers, body: undefined, refusal: undefined };
    if (route && 'endpoint' in route) {
      const { endpoint } = route;
      const { called, refusal } = this.parts.joined;
      addEndpointHeaders(visit.headers, endpoint, query);
      const isStream = endpoint.stream !== undefined && !asksToExplain(query);
      // Before the body is read, so that this also holds for refused and explained requests and for stored answers.
      visit.observation.operation = endpoint.name;
      visit.observation.kind = isStream ? 'subscription' : visit.isRead ? 'query' : 'mutation';
      called?.(endpoint.name, arrival, { request, visit, query });
      // A stream lives longer than a call, so it may still be open when the endpoint ends.
      if (isStream) asked.refusal = () => refusal?.(endpoint.name, arrival);
    }
    return visit.hasBody ? readBody(visit).then((body) => ({ ...asked, body })) : asked;
  }

  answer(asked: RestRequest, context: RequestContext, visit: Visit): MaybePromise<HttpAnswer | AskedStream> {
    const { route, query } = asked;
    if (route && 'endpoint' in route && route.endpoint.stream && !asksToExplain(query))
      return this.#stream(asked, route.endpoint, route.endpoint.stream, context);
    return withStandbys(context, visit, () => this.handle(asked, context));
  }

  /** Performs a request, or explains it. Rejects only with refusals and unexpected errors. */
  handle(request: RestRequest, context: RequestContext): MaybePromise<HttpAnswer> {
    const { route, query, method, headers, path } = request;
    if (!route || 'others' in route) return unrouted(request, route, this.#bases, context);
    if (asksToExplain(query)) return this.#explain(request, route, context);
    const { performer } = this.parts.joined;
    if (!performer || method !== 'POST' || headers[performer.header] === undefined)
      return this.#perform(request, route, context);
    const { scopes, body } = route.endpoint;
    // Answers are not stored for callers without the required scope, or for unsupported media types.
    const isRefused = !scopes.every((scope) => hasScope(context.identity, scope)) || (body && !isJson(request));
    if (isRefused) return this.#perform(request, route, context);
    // Everything the answer depends on, except its media type.
    const parts = ['REST', path, query.toString(), headers['if-match'] ?? '', request.body ?? ''];
    return performer.perform(context, { headers, parts }, async (inner) => {
      const answer = await this.#perform(request, route, inner);
      return { answer, isFault: answer.status >= 500 };
    });
  }

  /**
   * `If-Match` may list several versions, any of which may match (RFC 9110, 13.1.1). A write takes only one expected version, so
   * this tries the first; if it is refused, the refusal holds the current version, which is tried if it is in the list.
   */
  #perform(request: RestRequest, route: Found, context: RequestContext): MaybePromise<HttpAnswer> {
    const { 'if-match': tags } = request.headers;
    if (!tags?.includes(',')) return this.#attempt(request, route, context);
    const [first = '', ...others] = tags.split(',').map((tag) => tag.trim());
    const left = new Set(others);
    const withTag = (tag: string): MaybePromise<HttpAnswer> => {
      const headers = { ...request.headers, 'if-match': tag };
      return whenResolved(this.#attempt({ ...request, headers }, route, context), (answer) => {
        const { ETag: present = '' } = answer.headers;
        return answer.status === 412 && left.delete(present) ? withTag(present) : answer;
      });
    };
    return withTag(first);
  }

  /** Answers the refusals too; any other error is thrown, for the HTTP server to mask and log. */
  #attempt(request: RestRequest, route: Found, context: RequestContext): MaybePromise<HttpAnswer> {
    return recoverWith(
      () => this.#execute(request, route, context),
      (error) => {
        if (!(error instanceof GatewayError)) throw error;
        noteRefusal(context.observation, error);
        return toRestError(error, { requestId: context.requestId, accept: request.headers.accept });
      },
    );
  }

  #execute(request: RestRequest, { endpoint, id }: Found, context: RequestContext): MaybePromise<HttpAnswer> {
    const admitted = this.#admission.admit(request, endpoint, id, context);
    return whenResolved(this.parts.execute(admitted.operation, context), (outcome) =>
      successResponse(endpoint, outcome, admitted.variables, request.headers, context),
    );
  }

  #explain(request: RestRequest, { endpoint, id }: Found, context: RequestContext): HttpAnswer {
    const { performer, streams } = this.parts.joined;
    if (endpoint.stream) {
      requireExplainValue(request.query);
      const { subscription } = this.#admission.admitStream(endpoint, endpoint.stream, request);
      streams?.requireAllowed(subscription, context.identity);
      return explanationOf(endpoint, subscription, { way: 'resolvers' }, context);
    }
    const admitted = this.#admission.admit(request, endpoint, id, context);
    const { operation, variables } = admitted;
    requireScopesOf(endpoint, variables, context.identity);
    requireExplainValue(request.query);
    const isPerformed = request.method === 'POST' && performer && request.headers[performer.header] !== undefined;
    if (isPerformed) performer.check(request.headers);
    // The resolvers execute what a feature performs, in the transaction that stores its answer.
    const way: Way = isPerformed ? { way: 'resolvers' } : this.parts.wayOf(operation, context.identity);
    return explanationOf(endpoint, operation, way, context);
  }

  #stream(
    asked: RestRequest,
    endpoint: RestEndpoint,
    stream: EndpointStream,
    { identity }: RequestContext,
  ): AskedStream {
    const { streams } = this.parts.joined;
    if (!streams || !accepts(asked.headers.accept, 'text/event-stream'))
      throw errors.badRequest('not_acceptable', 'Events are sent as a stream: accept text/event-stream.');
    const { format } = stream;
    const { refusal } = asked;
    return { ...this.#admission.admitStream(endpoint, stream, asked), identity, format, refusal, streams };
  }
}

/** The answer where a path or its method has no endpoint: to OPTIONS, 404 or 405. */
function unrouted(
  { method, path, headers: { accept } }: RestRequest,
  route: Exclude<Route, Found>,
  bases: ReadonlySet<string>,
  { observation, requestId }: RequestContext,
): HttpAnswer {
  const refused = (refusal: GatewayError): HttpAnswer => {
    noteRefusal(observation, refusal);
    return toRestError(refusal, { requestId, accept });
  };
  if (!route) return refused(errors.badRequest('route_not_found', nothingAt(path, bases)));
  const [other] = route.others;
  const allow = route.others.map((other) => other.method);
  const methods = [...allow, ...(allow.includes('GET') && !other?.stream ? ['HEAD'] : []), 'OPTIONS'];
  const headers = { Allow: methods.join(', ') };
  if (method === 'OPTIONS') return { status: 204, headers, body: undefined };
  const refusal = refused(errors.badRequest('method_not_allowed', other?.resource && otherMethod(method, allow)));
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

/** The message for an unknown path that is similar to a known one; undefined for other paths. */
function nothingAt(path: string, bases: ReadonlySet<string>): string | undefined {
  const meant = path.length <= 100 ? nearest(path, bases) : undefined;
  return meant && `There is nothing at this path; did you mean \`${meant}\`?`;
}
