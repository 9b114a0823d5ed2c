import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Arrival } from '../../change/arrival.js';
import type { RequestContext } from '../../change/context.js';
import { notAPosition, positionInText } from '../../change/journal/position.js';
import { noteOperation } from '../../change/observation.js';
import { encodingOf } from '../../common/bytes.js';
import { type MaybePromise, recoverWith, whenResolved } from '../../common/maybe-promise.js';
import type { Admission, Asked, Operation, Subscription } from '../../graphql/operation/admission.js';
import { searchParameters } from '../../graphql/operation/parameters.js';
import { errors } from '../../model/errors/errors.js';
import type { ErrorCode } from '../../model/errors/gateway-error.js';
import type { Execute } from '../execution/executor.js';
import type { Answer, Joined, Performer } from '../feature.js';
import { EventStream, type StreamRequest, type Streams } from './answer/event-stream.js';
import { matchesEtag } from './answer/headers.js';
import { type HttpAnswer, send } from './answer/send.js';
import type { AuthenticateRequest } from './authenticate-request.js';
import { isOfOperation, refuseGraphql, wantsCost } from './graphql-refusal.js';
import {
  acceptedStream,
  acceptedType,
  errorsOnly,
  type GraphqlAnswer,
  type GraphqlStream,
  headersOf,
  type MediaType,
  resultOf,
  withCost,
} from './graphql-result.js';
import type { Surface } from './listener.js';
import { parseJson, readBody, requireJson } from './read-body.js';
import { type RunRequest, reading, writing } from './run-request.js';
import type { RequestState } from './visit.js';

type Streamed = Pick<StreamRequest, 'subscription' | 'identity'> & { format: GraphqlStream; streams: Streams };

export interface GraphqlParts {
  admission: Admission;
  execute: Execute;
  enter: AuthenticateRequest;
  work: RunRequest;
  /** Hears what was admitted. */
  admitted: Required<Joined>['admitted'];
  performer?: Performer | undefined;
  streams?: Streams | undefined;
}

/**
 * GraphQL over HTTP: `POST` with a JSON body, `GET` and `HEAD` for queries. The key is checked before the body is read,
 * and again when it is there.
 * Only admitted operations are executed, and none whose answer the client would not accept.
 */
export function graphqlEndpoint({
  admission,
  execute,
  enter,
  work,
  admitted,
  performer,
  streams,
}: GraphqlParts): Surface {
  const perform = (
    request: IncomingMessage,
    visit: RequestState,
    arrival: Arrival,
    given: unknown,
  ): MaybePromise<HttpAnswer | Streamed> => {
    const { accept } = request.headers;
    const mediaType = acceptedType(accept);
    const format = request.method === 'HEAD' ? undefined : acceptedStream(accept);
    if (!mediaType && !format) throw errors.badRequest('not_acceptable');
    // Admission counts as work: parsing and validating a large invalid document takes time too.
    return work(arrival, (inner): MaybePromise<HttpAnswer | Streamed> => {
      const mayWrite = request.method === 'POST';
      const admit = () =>
        format
          ? admission.fromStreamRequest(given, mayWrite, inner.observation)
          : admission.fromRequest(given, mayWrite, inner.observation);
      let operation: ReturnType<typeof admit>;
      try {
        operation = admit();
      } catch (error) {
        const asked = isOfOperation(error) ? admission.askedBy(error) : undefined;
        const { headers } = request;
        if (
          asked?.kind !== 'mutation' ||
          !mayWrite ||
          !mediaType ||
          !performer ||
          headers[performer.header] === undefined
        )
          throw error;
        return writing(inner, visit, async () => {
          const answer = await performer.answered(inner, { headers, parts: partsOf(asked) });
          if (!answer) throw error;
          return inType(answer, mediaType);
        });
      }
      admitted(inner.identity.keyId, operation, request.headers);
      if (operation.kind === 'subscription') {
        if (!format || !streams) throw errors.badRequest('not_acceptable');
        return { subscription: operation, identity: inner.identity, format, streams };
      }
      if (!mediaType)
        throw errors.badRequest(
          'not_acceptable',
          'Only subscriptions are answered as streams; accept application/json.',
        );
      visit.isRead = operation.kind === 'query';
      const once = () =>
        performOnce(performer, operation, inner, request.headers, mediaType, (performing) =>
          whenResolved(execute(operation, performing), (outcome) => resultOf(outcome, mediaType, performing.requestId)),
        );
      const answer = visit.isRead ? reading(inner, request.headers, once) : writing(inner, visit, once);
      return wantsCost(request) ? whenResolved(answer, (told) => withCost(told, operation.cost)) : answer;
    });
  };

  return (request, response, visit) => {
    if (request.method === 'OPTIONS') {
      return send(response, { status: 204, headers: { Allow: methods }, body: undefined }, visit);
    }
    const answer = () =>
      whenResolved(enter(request, visit), (arrival) =>
        whenResolved(givenBy(request, response, visit), (given) =>
          whenResolved(perform(request, visit, arrival, given), (found) => {
            if ('status' in found) return sendQuery(request, response, found, visit);
            visit.isRead = true;
            const { streams, ...asked } = found;
            return streams.subscribe({
              ...asked,
              arrival,
              after: beginningOf(found.subscription, request),
              begin: () => new EventStream(response, visit, found.format),
            });
          }),
        ),
      );
    recoverWith<void>(answer, (error) => refuseGraphql(request, response, visit, error));
  };
}

/**
 * Sends an answer. An answer to GET gets an ETag, so that a client can cache it and revalidate it; it is private,
 * because it depends on the key.
 */
function sendQuery(request: IncomingMessage, response: ServerResponse, answer: HttpAnswer, visit: RequestState): void {
  if (request.method === 'POST' || answer.status !== 200 || !answer.body || answer.body.length > longestHashed) {
    return send(response, answer, visit);
  }
  const etag = `"${createHash('sha1').update(answer.body, encodingOf(answer)).digest('base64url')}"`;
  const headers = {
    ...answer.headers,
    ETag: etag,
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization, Accept',
  };
  const known = matchesEtag(etag, request.headers['if-none-match']);
  send(response, known ? { status: 304, headers, body: undefined } : { ...answer, headers }, visit);
}

/** The longest answer, in characters, that gets an ETag: hashing blocks the event loop. */
const longestHashed = 1024 * 1024;

const methods = 'GET, HEAD, POST, OPTIONS';

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
  throw errors.badInput([{ path: ['after'], code: 'parameter_invalid', message: notAPosition }]);
}

/** The parameters from the query string or the body, not yet checked. */
function givenBy(request: IncomingMessage, response: ServerResponse, { headers }: RequestState): MaybePromise<unknown> {
  if (request.method === 'GET' || request.method === 'HEAD') {
    return searchParameters(new URLSearchParams(/\?(.*)/s.exec(request.url ?? '')?.[1]));
  }
  if (request.method !== 'POST') {
    headers.push('Allow', methods);
    throw errors.badRequest('method_not_allowed');
  }
  requireJson(request);
  return whenResolved(readBody(request, response), (body) => {
    if (!body) throw errors.badRequest('json_invalid', 'Send the operation as a JSON body: {"query": "…"}.');
    return parseJson(body);
  });
}

/**
 * Executes an operation, or has a feature perform it. A replayed answer gets the media type that the current request
 * accepts. If any field of the mutation fails through a fault of the server, the whole mutation is rolled back, and the
 * answer holds only those errors, because the records of the other fields do not exist.
 */
function performOnce(
  performer: Performer | undefined,
  operation: Operation,
  context: RequestContext,
  headers: IncomingHttpHeaders,
  mediaType: MediaType,
  perform: (context: RequestContext) => MaybePromise<GraphqlAnswer>,
): MaybePromise<HttpAnswer> {
  if (!performer || headers[performer.header] === undefined || operation.kind !== 'mutation') return perform(context);
  // With problems no field of it does anything. Without `userErrors` it would have been refused before, and its key is free.
  if (operation.problems.length > 0) return perform(context);
  noteOperation(context.observation, operation); // also needed where the stored answer is replayed
  const answered = performer.perform(context, { headers, parts: partsOf(operation) }, async (inner) => {
    const { errors, ...answer } = await perform(inner);
    const faults = errors.filter(({ extensions }) => codesOfFaults.has(extensions.code));
    const isFault = faults.length > 0 || answer.status >= 500;
    const { status, headers, body } = isFault ? errorsOnly(faults, mediaType, context.requestId) : answer;
    const codes = errors.map(({ extensions }) => String(extensions.code));
    return { answer: { status, headers, body, codes }, isFault };
  });
  return answered.then((answer) => inType(answer, mediaType));
}

const partsOf = ({ document, name, sent }: Asked) => [
  'GraphQL',
  JSON.stringify([document.loc?.source.body, name, sent]),
];

const inType = ({ headers, ...answer }: Answer, mediaType: MediaType): HttpAnswer => ({
  ...answer,
  headers: { ...headers, ...headersOf(mediaType) },
});

/** Codes of errors that are the server's fault; the HTTP status of GraphQL does not show them. */
const codesOfFaults: ReadonlySet<unknown> = new Set<ErrorCode>(['INTERNAL_SERVER_ERROR', 'UNAVAILABLE', 'TIMEOUT']);
