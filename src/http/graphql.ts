import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Bytes, encodingOf } from '../bytes.js';
import type { RequestContext } from '../context.js';
import { errors } from '../errors.js';
import type { Answer } from '../idempotency/once.js';
import type { Weigh } from '../limits/complexity.js';
import { type MaybePromise, orElse, whenThere } from '../when-there.js';
import { isJson, readBody } from './body.js';
import type { Enter } from './enter.js';
import type { DocumentOf } from './graphql-documents.js';
import { performOnce } from './graphql-once.js';
import { isName, isVariables, operationOf, paramsOf } from './graphql-params.js';
import type { ReadOperation } from './graphql-read.js';
import { refuseGraphql } from './graphql-refusal.js';
import type { WriteOperation } from './graphql-write.js';
import { parseJson } from './json.js';
import type { Surface } from './listener.js';
import type { ResolvePersisted } from './persisted.js';
import { type Sendable, send } from './send.js';
import type { Visit } from './visit.js';
import type { Work } from './work.js';
import type { GraphqlRequest, Yoga } from './yoga.js';

export interface GraphqlParts {
  yoga: Yoga;
  read: ReadOperation;
  write: WriteOperation;
  resolvePersisted: ResolvePersisted;
  documentOf: DocumentOf;
  weigh: Weigh;
  enter: Enter;
  work: Work;
}

/**
 * GraphQL over HTTP: `POST` with a JSON body, `GET` for queries. The key is asked for before anything is read, the body
 * is read and parsed here, and Yoga sees only what is left.
 */
export function graphqlEndpoint(parts: GraphqlParts): Surface {
  const { yoga, read, write, resolvePersisted, documentOf, weigh, enter, work } = parts;

  const answerTo = (request: IncomingMessage, asked: GraphqlRequest): MaybePromise<Sendable> => {
    const mediaType = jsonType(request.headers.accept);
    const resolve = async (inner: GraphqlRequest) => {
      const result = mediaType && (await write(inner));
      if (result !== undefined) return resultOf(mediaType, result, inner);
      return answerOf(await yoga.fetch(fetchRequest(yoga, request), inner));
    };
    const executed = () => performOnce(asked, request.headers, resolve);
    if (!mediaType) return executed();
    return whenThere(read(asked), (data) =>
      data === undefined ? executed() : resultOf(mediaType, `"data":${data}`, asked),
    );
  };

  const perform = (request: IncomingMessage, context: RequestContext, given: unknown): MaybePromise<Sendable> => {
    const operation = operationOf(resolvePersisted(given));
    const { variables, operationName } = operation;
    const document = documentOf(operation.query);
    const isUsable = isName(operationName) && isVariables(variables);
    const weight = document && isUsable ? weigh(document, variables ?? {}, operationName) : undefined;
    const cost = request.headers['x-graphql-cost'] === '1' ? weight : undefined;
    return work(context, (inner) => answerTo(request, { ...inner, operation, document, cost }));
  };

  return (request, response, visit) => {
    if (request.method === 'OPTIONS') {
      return send(response, { status: 204, headers: { Allow: methods }, body: undefined }, visit);
    }
    const answer = () =>
      whenThere(enter(request, visit), (context) =>
        whenThere(givenBy(request, response, visit), (given) =>
          whenThere(perform(request, context, given), (found) => sendQuery(request, response, found, visit)),
        ),
      );
    orElse<void>(answer, (error) => refuseGraphql(request, response, visit, error));
  };
}

/**
 * Sends an answer; to GET with a validator, so that a client or a cache of its own may keep it and ask whether it still
 * holds. The answer depends on the key, so nobody shares it.
 */
function sendQuery(request: IncomingMessage, response: ServerResponse, answer: Sendable, visit: Visit): void {
  if (request.method !== 'GET' || answer.status !== 200 || answer.body === undefined) {
    return send(response, answer, visit);
  }
  const etag = `"${createHash('sha1').update(answer.body, encodingOf(answer)).digest('base64url')}"`;
  const headers = {
    ...answer.headers,
    ETag: etag,
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization, Accept',
  };
  const known = request.headers['if-none-match']?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
  send(response, known ? { status: 304, headers, body: undefined } : { ...answer, headers }, visit);
}

/** The answer that holds a result, given as the text of its members. */
function resultOf(mediaType: string | undefined, members: Bytes, { cost }: Pick<GraphqlRequest, 'cost'>): Sendable {
  const extensions = cost ? `,"extensions":{"cost":${JSON.stringify(cost)}}` : '';
  return {
    status: 200,
    headers: { 'Content-Type': `${mediaType}; charset=utf-8` },
    body: `{${members}${extensions}}`,
    isBytes: true,
  };
}

/** The form of JSON the caller takes; undefined where only Yoga can tell. */
function jsonType(accept = '*/*'): string | undefined {
  if (accept.includes('application/graphql-response+json')) return 'application/graphql-response+json';
  return accept.includes('application/json') || accept === '*/*' ? 'application/json' : undefined;
}

const methods = 'GET, HEAD, POST, OPTIONS';

/** What the query string or the body holds. */
function givenBy(request: IncomingMessage, response: ServerResponse, { headers }: Visit): MaybePromise<unknown> {
  if (request.method === 'GET' || request.method === 'HEAD') {
    return paramsOf(new URLSearchParams(/\?(.*)/s.exec(request.url ?? '')?.[1]));
  }
  if (request.method !== 'POST') {
    headers.push('Allow', methods);
    throw errors.badRequest('method_not_allowed');
  }
  if (!isJson(request)) throw errors.badRequest('content_type_unsupported');
  return whenThere(readBody(request, response), (body) => {
    if (!body) throw errors.badRequest('json_invalid', 'Send the operation as a JSON body: {"query": "…"}.');
    return parseJson(body);
  });
}

/** What is left for Yoga to read: the method and what the client accepts. */
function fetchRequest(yoga: Yoga, request: IncomingMessage): Request {
  const method = request.method === 'POST' ? 'POST' : 'GET';
  const headers = { accept: request.headers.accept ?? '*/*' };
  return new yoga.fetchAPI.Request('http://gateway/graphql', { method, headers });
}

async function answerOf(result: Response): Promise<Answer> {
  // `send` says the length, which compression may change.
  const { 'content-length': _length, ...headers } = Object.fromEntries(result.headers);
  return { status: result.status, headers, body: await result.text() };
}
