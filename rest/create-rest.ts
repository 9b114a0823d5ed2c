import type { GraphQLSchema } from 'graphql';
import type { RequestContext } from '../src/change/context.js';
import { noteOperation } from '../src/change/observation.js';
import { isObject } from '../src/common/is-object.js';
import { recoverWith, whenResolved } from '../src/common/maybe-promise.js';
import { type Calls, withStandbys } from '../src/gateway/call.js';
import type { Execute, OperationResult } from '../src/gateway/execution/executor.js';
import type { MeasuredResult } from '../src/gateway/execution/resolvers.js';
import type { WayOf } from '../src/gateway/execution/way.js';
import type { Joined, Performer } from '../src/gateway/feature.js';
import { matchesEtag, send } from '../src/gateway/http/answer/send.js';
import { isJson, readBody } from '../src/gateway/http/read-body.js';
import type { Visit } from '../src/gateway/http/visit.js';
import type { Admission } from '../src/graphql/operation/admission.js';
import { errors } from '../src/model/errors/errors.js';
import { singletonId } from '../src/model/resource.js';
import { hasScope } from '../src/model/scopes.js';
import { type AdmitRest, answeringErrors, createRestAdmission, type HandleRest } from './admit.js';
import { withChanges } from './changes.js';
import { addEndpointHeaders } from './endpoint-headers.js';
import { refuseRest } from './errors.js';
import { withEvents } from './events.js';
import { createRestExplainer, explainOrPerform } from './explain.js';
import type { RestOperation } from './operations.js';
import { anyVersion } from './request/any-version.js';
import { idIn, textBody } from './request/body-form.js';
import { etagOf } from './request/parameters.js';
import { queryOf, type TranslatedVariables } from './request/variables.js';
import { publicAddress, type RestRequest, type RestResponse } from './response.js';
import { createRoutes, type FindRoute } from './route.js';

/** Handles a request completely, whatever it contains. */
export type Handle = (visit: Visit) => void;

export interface RestParts {
  schema: GraphQLSchema;
  admission: Admission;
  execute: Execute;
  wayOf: WayOf;
  operations: readonly RestOperation[];
  calls: Calls;
  /** What features do with calls. */
  joined: Pick<Required<Joined>, 'called' | 'refusal'> & Pick<Joined, 'performer' | 'streams'>;
}

/** Everything under `/api`. */
export function createRest({ schema, admission, execute, wayOf, operations, calls, joined }: RestParts): Handle {
  const { called, performer } = joined;
  const admit = createRestAdmission({ schema, admission, operations });
  const perform = performedBy(performer, anyVersion(createRestHandler(admit, execute)));
  const explain = createRestExplainer(admit, wayOf, performer);
  const endpoints = restEndpoint(createRoutes(operations), explainOrPerform(explain, perform), calls, called);
  const resources = [...new Set(operations.map(({ resource }) => resource))];
  const changes = withChanges(endpoints, { schema, resources, admission, execute, calls, called });
  const { streams } = joined;
  return streams ? withEvents(changes, { schema, admission, calls, joined, streams }) : changes;
}

/**
 * The REST interface as a function from a request to a response. Each request becomes the GraphQL operation of its
 * endpoint, and is admitted and executed like an operation of `/graphql`.
 */

/** Performs the operations of requests. */
export const createRestHandler = (admit: AdmitRest, execute: Execute): HandleRest =>
  answeringErrors((request, context) => {
    const admitted = admit(request, context);
    if ('status' in admitted) return admitted;
    const { endpoint, operation, variables } = admitted;
    return whenResolved(execute(operation, context), (outcome) =>
      successResponse(endpoint, outcome, variables, request, context),
    );
  });

/** Has a feature perform the calls of POST that it takes, if there is one. */
function performedBy(performer: Performer | undefined, handle: HandleRest): HandleRest {
  if (!performer) return handle;
  return (request, context) => {
    const { route, headers } = request;
    if (request.method !== 'POST' || headers[performer.header] === undefined) return handle(request, context);
    // Answers are not stored for unknown paths, for callers without the required scope, or for unsupported media types.
    const operation = route && 'operation' in route ? route.operation : undefined;
    if (!operation?.scopes.every((scope) => hasScope(context.identity, scope))) return handle(request, context);
    if (operation.body && !isJson(request)) return handle(request, context);
    // Everything the answer depends on, except its media type.
    const parts = ['REST', request.path, request.query.toString(), headers['if-match'] ?? '', request.body ?? ''];
    return performer.perform(context, { headers, parts }, async (inner) => {
      const answer = await handle(request, inner);
      return { answer, isFault: answer.status >= 500 };
    });
  };
}

/** Connects the REST handler to HTTP: reads the request, calls `handle`, sends the answer. */

/** Everything under `/api`. The key is checked before the path and before the body is read, and again when it is there. */
function restEndpoint(
  routeOf: FindRoute,
  handle: HandleRest,
  calls: Calls,
  called: Required<Joined>['called'],
): Handle {
  return (visit) => {
    const { request } = visit;
    visit.isRead = request.method === 'GET' || request.method === 'HEAD';
    const answer = () =>
      whenResolved(calls.enter(visit), (arrival) => {
        const { method = 'GET', url = '/', headers } = request;
        const { path } = visit;
        const route = routeOf(method === 'HEAD' ? 'GET' : method, path);
        const query = queryOf(url, path);
        addEndpointHeaders(visit.headers, { route, query });
        if (route && 'operation' in route) {
          const { name } = route.operation;
          // Before the body is read, so that this also holds for refused and explained requests and for stored answers.
          noteOperation(visit.observation, { name, kind: visit.isRead ? 'query' : 'mutation' });
          called(name, arrival, { request, visit, query });
        }
        return whenResolved(readBody(visit), (body) =>
          whenResolved(
            calls.work(arrival, (inner) => {
              const answered = () => handle({ method, route, path, query, headers, body }, inner);
              return withStandbys(inner, visit, answered);
            }),
            (found) => send(visit, found),
          ),
        );
      });

    recoverWith<void>(answer, (error) => refuseRest(visit, error));
  };
}

/** The response to a successful REST operation: status, headers, and a body built from the operation's `data`. */

/** Builds the response. @throws the outcome's first error, and NOT_FOUND for a missing record */
function successResponse(
  operation: RestOperation,
  outcome: OperationResult,
  variables: TranslatedVariables['variables'],
  { headers: requestHeaders }: RestRequest,
  context: Pick<RequestContext, 'publicUrl'>,
): RestResponse {
  const found = 'result' in outcome ? bodyOf(outcome) : textIn(outcome);
  const { method, status, resource } = operation;
  if (found === null) throw errors.notFound(resource.title, String(variables.id ?? singletonId(resource)));
  const { version, id, text, isBytes } = found;
  const headers: Record<string, string> = { 'Content-Type': 'application/json; charset=utf-8' };
  if (version !== undefined) {
    headers.ETag = etagOf(version);
    if (method === 'GET' && matchesEtag(headers.ETag, requestHeaders['if-none-match']))
      return { status: 304, headers, body: undefined };
  }
  if (status === 201) headers.Location = publicAddress(context, `${resource.base}/${id()}`);
  return { status, headers, body: text(), isBytes };
}

/** The parts of a REST body. */
interface Found {
  /** Only a single record has one. */
  version: number | undefined;
  id(): string;
  text(): string;
  isBytes: boolean;
}

/** The body from the JSON text of the operation's only field. */
function textIn(outcome: Exclude<OperationResult, { result: unknown }>): Found | null {
  const [field] = 'fields' in outcome ? outcome.fields : [];
  if (!field) throw new Error('A REST operation has one field');
  if ('error' in field) throw field.error.originalError ?? field.error;
  return foundIn(field.text, true);
}

function foundIn(field: string, isBytes: boolean): Found | null {
  const found = textBody(field);
  return found && { version: found.version, id: () => idIn(found.body) ?? '', text: () => found.body, isBytes };
}

/** The body from the result of the resolvers. */
function bodyOf({ result: { data, errors: [fault] = [] }, text }: MeasuredResult): Found | null {
  if (fault) throw fault.originalError ?? fault;
  const [[name, value] = []] = Object.entries(data ?? {});
  if (name !== 'history' || !isObject(value)) return foundIn(text.slice(`{"${name}":`.length, -1), false);
  const { data: versions, pageInfo, complete } = value;
  const body = { data: versions, ...(isObject(pageInfo) ? pageInfo : {}), complete };
  return { version: undefined, id: () => '', text: () => JSON.stringify(body), isBytes: false };
}
