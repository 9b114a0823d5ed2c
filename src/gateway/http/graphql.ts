import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { notAPosition, positionInText } from '../../change/journal/journal.js';
import { noteErrors, noteRefusal } from '../../change/observation.js';
import { type MaybePromise, whenResolved } from '../../common/maybe-promise.js';
import type { Admission, Asked, Operation, Subscription } from '../../graphql/operation/admission.js';
import { searchParameters } from '../../graphql/operation/documents.js';
import { DocumentRefused } from '../../graphql/operation/trusted-documents.js';
import { knownError, showError } from '../../graphql/shown-errors/show-error.js';
import { errors } from '../../model/errors/errors.js';
import { type AskedStream, type Streams, type Surface, withStandbys } from '../call.js';
import type { Execute } from '../execution/executor.js';
import type { Answer, Joined, Performer } from '../feature.js';
import { encodingOf, type HttpAnswer, matchesEtag, send } from './answer/send.js';
import {
  acceptedBy,
  errorsOnly,
  faultStatus,
  type GraphqlAnswer,
  type GraphqlStream,
  headersOf,
  type MediaType,
  resultOf,
  wantsCost,
  withCost,
} from './graphql-result.js';
import { ClientGone, parseJson, readBody, requireJson } from './read-body.js';
import type { Visit } from './visit.js';

export interface GraphqlParts {
  admission: Admission;
  execute: Execute;
  admitted?: Joined['admitted'];
  performer?: Performer | undefined;
  streams?: Streams | undefined;
}

/** A request that was read: its parameters, not yet checked, and the forms in which its client takes an answer. */
interface GraphqlRequest {
  given: unknown;
  mediaType: MediaType | undefined;
  format: GraphqlStream | undefined;
}

/**
 * GraphQL over HTTP: `POST` with a JSON body, `GET` and `HEAD` for queries. Only admitted operations are executed, and none
 * whose answer the client would not accept.
 */
export class GraphqlSurface implements Surface<GraphqlRequest> {
  readonly refuse = refuseGraphql;

  constructor(private readonly parts: GraphqlParts) {}

  read(visit: Visit): MaybePromise<GraphqlRequest> {
    return whenResolved(givenBy(visit), (given) => {
      const { mediaType, format: named } = acceptedBy(visit.request);
      const format = visit.request.method === 'HEAD' ? undefined : named;
      if (!mediaType && !format) throw errors.badRequest('not_acceptable');
      return { given, mediaType, format };
    });
  }

  /** Admission counts as work: parsing and validating a large invalid document takes time too. */
  answer(asked: GraphqlRequest, context: RequestContext, visit: Visit): MaybePromise<HttpAnswer | AskedStream> {
    const { admission, admitted, streams } = this.parts;
    const { request } = visit;
    const { mediaType, format } = asked;
    const mayWrite = request.method === 'POST';
    let operation: Operation | Subscription;
    try {
      operation = format
        ? admission.fromStreamRequest(asked.given, mayWrite, context.observation)
        : admission.fromRequest(asked.given, mayWrite, context.observation);
    } catch (error) {
      return this.#keptAnswer(error, mediaType, context, visit);
    }
    admitted?.(context.identity.keyId, operation, request.headers);
    if (operation.kind === 'subscription') {
      if (!format || !streams) throw errors.badRequest('not_acceptable');
      const after = beginningOf(operation, request);
      return { subscription: operation, identity: context.identity, format, streams, after };
    }
    if (!mediaType)
      throw errors.badRequest('not_acceptable', 'Only subscriptions are answered as streams; accept application/json.');
    visit.isRead = operation.kind === 'query';
    const { cost } = operation;
    return whenResolved(
      withStandbys(context, visit, () => this.#perform(operation, context, request.headers, mediaType)),
      (answer) => revalidated(request, wantsCost(request) ? withCost(answer, cost) : answer),
    );
  }

  /** What a feature has kept for a mutation that is not admitted any more. @throws the error where it has kept nothing */
  #keptAnswer(
    error: unknown,
    mediaType: MediaType | undefined,
    context: RequestContext,
    visit: Visit,
  ): MaybePromise<HttpAnswer> {
    const { admission, performer } = this.parts;
    const { method, headers } = visit.request;
    const asked = isOfOperation(error) ? admission.askedBy(error) : undefined;
    const isPerformed = performer && headers[performer.header] !== undefined;
    if (asked?.kind !== 'mutation' || method !== 'POST' || !mediaType || !isPerformed) throw error;
    return withStandbys(context, visit, async () => {
      const answer = await performer.answered(context, { headers, parts: partsOf(asked) });
      if (!answer) throw error;
      return inType(answer, mediaType);
    });
  }

  /**
   * Executes an operation, or has a feature perform it. A replayed answer gets the media type that the current request
   * accepts. If any field of the mutation fails through a fault of the server, the whole mutation is rolled back, and the
   * answer holds only those errors, because the records of the other fields do not exist.
   */
  #perform(
    operation: Operation,
    context: RequestContext,
    headers: IncomingHttpHeaders,
    mediaType: MediaType,
  ): MaybePromise<HttpAnswer> {
    const { performer } = this.parts;
    // With problems no field of it does anything. Without `userErrors` it would have been refused before, and its key is free.
    const isPlain = operation.kind !== 'mutation' || operation.problems.length > 0;
    if (isPlain || !performer || headers[performer.header] === undefined)
      return this.#execute(operation, context, mediaType);
    const answered = performer.perform(context, { headers, parts: partsOf(operation) }, async (inner) => {
      const { errors, ...answer } = await this.#execute(operation, inner, mediaType);
      const faults = errors.filter(faultStatus);
      const isFault = faults.length > 0 || answer.status >= 500;
      const { status, headers, body } = isFault ? errorsOnly(faults, mediaType, context.requestId) : answer;
      const codes = errors.map(({ extensions }) => String(extensions.code));
      return { answer: { status, headers, body, codes }, isFault };
    });
    return answered.then((answer) => inType(answer, mediaType));
  }

  #execute(operation: Operation, context: RequestContext, mediaType: MediaType): MaybePromise<GraphqlAnswer> {
    return whenResolved(this.parts.execute(operation, context), (outcome) =>
      resultOf(outcome, mediaType, context.requestId),
    );
  }
}

/**
 * An answer to GET gets an ETag, so that a client can cache it and revalidate it; it is private, because it depends on the
 * key.
 */
function revalidated({ method, headers: asked }: IncomingMessage, answer: HttpAnswer): HttpAnswer {
  if (method === 'POST' || answer.status !== 200 || !answer.body || answer.body.length > longestHashed) return answer;
  const etag = `"${createHash('sha1').update(answer.body, encodingOf(answer)).digest('base64url')}"`;
  const headers = {
    ...answer.headers,
    ETag: etag,
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization, Accept',
  };
  return matchesEtag(etag, asked['if-none-match']) ? { status: 304, headers, body: undefined } : { ...answer, headers };
}

/** The longest answer, in characters, that gets an ETag: hashing blocks the event loop. */
const longestHashed = 1024 * 1024;

const methods = 'GET, HEAD, POST, OPTIONS';

/** The answer to OPTIONS, which needs no key. */
export const graphqlOptions: HttpAnswer = { status: 204, headers: { Allow: methods }, body: undefined };

/**
 * The position at which a stream begins: that of the header by which a client such as EventSource continues, otherwise
 * that of its argument. EventSource repeats its URL after each break, and with it the argument with which it began.
 * @throws BAD_USER_INPUT
 */
function beginningOf({ root }: Subscription, { headers }: IncomingMessage): number | undefined {
  const lastId = headers['last-event-id'];
  const text = lastId ?? root.args.after;
  if (text == null) return undefined;
  const position = positionInText(String(text));
  if (position !== undefined) return position;
  throw errors.invalidAt(['after'], notAPosition);
}

/** The parameters from the query string or the body, not yet checked. */
function givenBy(visit: Visit): MaybePromise<unknown> {
  const { request } = visit;
  if (request.method === 'GET' || request.method === 'HEAD') {
    return searchParameters(new URLSearchParams(/\?(.*)/s.exec(request.url ?? '')?.[1]));
  }
  if (request.method !== 'POST') {
    visit.headers.push('Allow', methods);
    throw errors.badRequest('method_not_allowed');
  }
  requireJson(request);
  if (!visit.hasBody) throw errors.badRequest('json_invalid', 'Send the operation as a JSON body: {"query": "…"}.');
  return readBody(visit).then(parseJson);
}

const partsOf = ({ document, name, sent }: Asked) => [
  'GraphQL',
  JSON.stringify([document.loc?.source.body, name, sent]),
];

const inType = ({ headers, ...answer }: Answer, mediaType: MediaType): HttpAnswer => ({
  ...answer,
  headers: { ...headers, ...headersOf(mediaType) },
});

/**
 * Answers a request to `/graphql` that was refused before execution, in GraphQL's form: `{"errors": [{message,
 * extensions: {code, reason, requestId}}]}`. An unexpected error is masked, and logged under its request id.
 */
function refuseGraphql(visit: Visit, error: unknown): void {
  const { response } = visit;
  if (error instanceof ClientGone || response.headersSent) return void response.destroy();
  send(visit, refusalOf(visit, error));
}

/**
 * A client that takes nothing but a stream gets what is wrong with its operation as a stream, because such clients do
 * not read other answers (GraphQL over SSE). What is wrong with the request itself is answered with its HTTP status.
 */
function refusalOf(visit: Visit, error: unknown): HttpAnswer {
  const answer = plainRefusal(visit, error);
  const { mediaType, format } = acceptedBy(visit.request);
  if (mediaType || !format || !isOfOperation(error)) return answer;
  return { status: 200, headers: { 'Content-Type': format.type }, body: format.refused(answer.body) };
}

/** Whether the error says what is wrong with the operation, not with the request. */
export const isOfOperation = (error: unknown): boolean =>
  error instanceof DocumentRefused || knownError(error).row.isOfOperation === true;

function plainRefusal(visit: Visit, error: unknown): GraphqlAnswer {
  const { request } = visit;
  const { mediaType = 'application/json' } = acceptedBy(request);
  if (error instanceof DocumentRefused) {
    const codes = error.errors.map(({ extensions }) => extensions.code);
    noteErrors(visit.observation, codes);
    const answer = errorsOnly(error.errors, mediaType, visit.requestId);
    return wantsCost(request) && error.cost ? withCost(answer, error.cost) : answer;
  }
  const known = knownError(error);
  noteRefusal(visit.observation, known);
  const shown = showError(new GraphQLError(known.message, { originalError: known }), visit);
  const answer = errorsOnly([shown], mediaType, visit.requestId);
  if (known.code === 'BAD_USER_INPUT') return answer;
  const { details, row } = known;
  return { ...answer, status: row.status, headers: { ...answer.headers, ...row.headers?.(details) } };
}
