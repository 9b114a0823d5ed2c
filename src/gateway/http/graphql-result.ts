/** Media types of GraphQL over HTTP. The body is `{"errors": […], "data": {…}, "extensions": {…}}` in both. */
import type { IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';
import { type Bytes, bytesOf } from '../../common/bytes.js';
import type { CostReport } from '../../graphql/limits/operation-cost.js';
import { GatewayError } from '../../model/errors/gateway-error.js';
import type { StreamFormat } from '../call.js';
import type { AnsweredField, OperationResult } from '../execution/executor.js';
import type { MeasuredResult } from '../execution/resolvers.js';
import { accepts, eventStreamType, names } from './answer/headers.js';
import type { HttpAnswer } from './answer/send.js';

/** The two forms of a stream at `/graphql`, each with a GraphQL result for each event. */
export interface GraphqlStream extends StreamFormat {
  /** The whole answer to a request that was refused: one result without data. */
  refused(text: string): string;
}

/** The form that the `Accept` header names; undefined where it names none. */
function streamFor(accept: string | undefined): GraphqlStream | undefined {
  if (names(accept, 'text/event-stream')) return serverSentEvents;
  // Without the parameter it asks for the parts of an answer with `@defer`, which there is not.
  const isOfSubscription = names(accept, 'multipart/mixed') && /\bsubscriptionspec="?1\.0\b/i.test(accept ?? '');
  return isOfSubscription ? multipart : undefined;
}

/** Milliseconds after which a client may connect again. */
export const retryAfter = 1_000;

// The texts are the JSON of GraphQL results, in UTF-8, a character for each byte.
const next = (text: string, lines = ''): string => `${lines}event: next\ndata: ${text}\n\n`;

const complete = 'event: complete\ndata:\n\n';
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

const errorsOf = ({ message, code, details }: GatewayError, requestId: string): Bytes =>
  bytesOf(errorsText([new GraphQLError(message, { extensions: { code, ...details } })], requestId));

const comment = bytes(':\n\n');

/** GraphQL over SSE, distinct connections mode: `next` with a result each, then `complete`. */
const serverSentEvents: GraphqlStream = {
  name: 'graphql',
  type: eventStreamType,
  opening: bytes(`retry: ${retryAfter}\n`),
  event: ({ position }, text) => bytes(next(text(), `id: ${position}\n`)),
  end: (requestId, refusal) =>
    bytes(`${refusal ? next(`{"errors":${errorsOf(refusal, requestId)}}`) : `retry: ${retryAfter}\n`}${complete}`),
  heartbeat: () => comment,
  refused: (text) => `${next(text)}${complete}`,
};

const delimiter = '\r\n--graphql';

/** Ends with the delimiter of the next part: a client takes a part for whole when it has read that. */
const part = (json: string): string => `\r\nContent-Type: application/json\r\n\r\n${json}${delimiter}`;

const emptyPart = bytes(part('{}'));

/**
 * Apollo's multipart protocol for subscriptions: a part with the `payload` of each event, `{}` as a heartbeat, and `errors`
 * beside a `payload` that is null if the stream must not be begun again.
 */
const multipart: GraphqlStream = {
  name: 'multipart',
  type: 'multipart/mixed; boundary="graphql"; subscriptionSpec="1.0"',
  opening: bytes(delimiter),
  event: (_event, text) => bytes(part(`{"payload":${text()}}`)),
  end: (requestId, refusal) =>
    bytes(`${refusal ? part(`{"payload":null,"errors":${errorsOf(refusal, requestId)}}`) : ''}--\r\n`),
  heartbeat: () => emptyPart,
  refused: (text) => `${delimiter}${part(`{"payload":${text}}`)}--\r\n`,
};

export type MediaType = 'application/json' | 'application/graphql-response+json';

export interface GraphqlAnswer extends HttpAnswer {
  body: string;
  errors: readonly GraphQLError[];
}

interface Accepted {
  /** Undefined where the header allows neither. */
  mediaType: MediaType | undefined;
  /** That of a stream; undefined where the header names none. */
  format: GraphqlStream | undefined;
}

/** What the `Accept` header asks for. The last one is kept, because a client sends the same one with every request. */
export function acceptedBy({ headers: { accept } }: Pick<IncomingMessage, 'headers'>): Accepted {
  if (!last || last.accept !== accept) last = { accept, mediaType: typeFor(accept), format: streamFor(accept) };
  return last;
}

let last: (Accepted & { accept: string | undefined }) | undefined;

/** `application/graphql-response+json` is used only where the header names it, because its status codes differ. */
function typeFor(accept: string | undefined): MediaType | undefined {
  if (names(accept, 'application/graphql-response+json')) return 'application/graphql-response+json';
  return accepts(accept, 'application/json') ? 'application/json' : undefined;
}

export function resultOf(outcome: OperationResult, mediaType: MediaType, requestId: string): GraphqlAnswer {
  if ('result' in outcome) return executed(outcome, mediaType, requestId);
  if ('data' in outcome) return ofMembers(`"data":${outcome.data}`, [], mediaType);
  return ofFields(outcome.fields, mediaType, requestId);
}

/** Whether the client asked for the cost of its operation (`X-GraphQL-Cost: 1`). */
export const wantsCost = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean => headers['x-graphql-cost'] === '1';

export function withCost<Answer extends { body: string | undefined }>(answer: Answer, cost: CostReport): Answer {
  const extensions = `,"extensions":${JSON.stringify({ cost })}}`;
  return { ...answer, body: answer.body && `${answer.body.slice(0, -1)}${extensions}` };
}

/**
 * An answer with errors and without `data`. Where the client accepts plain JSON and the error is its own, the status is
 * 200, as GraphQL over HTTP requires for well-formed requests (6.4.1).
 */
export function errorsOnly(errors: readonly GraphQLError[], mediaType: MediaType, requestId: string): GraphqlAnswer {
  const [fault = mediaType === 'application/json' ? 200 : 400] = errors.flatMap((error) => faultStatus(error) ?? []);
  const body = `{"errors":${errorsText(errors, requestId)}}`;
  return { status: fault, headers: headersOf(mediaType), body, errors };
}

/** The status of an error that is the server's fault, which the status of an executed operation does not show. */
export const faultStatus = ({ originalError: error }: GraphQLError): number | undefined =>
  error instanceof GatewayError && error.row.status >= 500 ? error.row.status : undefined;

function executed({ result, text }: MeasuredResult, mediaType: MediaType, requestId: string): GraphqlAnswer {
  const { errors = [], data } = result;
  if (data === undefined) return errorsOnly(errors, mediaType, requestId);
  const told = errors.length > 0 ? `"errors":${errorsText(errors, requestId)},` : '';
  return { status: 200, headers: headersOf(mediaType), body: `{${told}"data":${text}}`, errors };
}

function ofFields(fields: readonly AnsweredField[], mediaType: MediaType, requestId: string): GraphqlAnswer {
  let data = '';
  const errors: GraphQLError[] = [];
  for (const field of fields) {
    if ('error' in field) errors.push(field.error);
    data += `${data ? ',' : ''}"${field.key}":${'error' in field ? 'null' : field.text}`;
  }
  if (errors.length === 0) return ofMembers(`"data":{${data}}`, errors, mediaType);
  const told = bytesOf(errorsText(errors, requestId));
  return ofMembers(`"errors":${told},"data":{${data}}`, errors, mediaType);
}

function ofMembers(members: Bytes, errors: readonly GraphQLError[], mediaType: MediaType): GraphqlAnswer {
  return { status: 200, headers: headersOf(mediaType), body: `{${members}}`, isBytes: true, errors };
}

/** Characters of errors after which the details of further ones are left out: an answer may have hundreds. */
export const mostErrorDetails = 1024 * 1024;

function errorsText(errors: readonly GraphQLError[], requestId: string): string {
  const texts: string[] = [];
  let length = 0;
  for (const error of errors) {
    const text = JSON.stringify(formattedError(error, requestId, length <= mostErrorDetails));
    length += text.length;
    texts.push(text);
  }
  return `[${texts.join()}]`;
}

function formattedError(error: GraphQLError, requestId: string, withDetails: boolean): object {
  const { extensions, ...rest } = error.toJSON();
  if (withDetails) return { ...rest, extensions: { ...extensions, requestId } };
  const { message, path } = rest;
  return { message, path, extensions: { code: extensions?.code, reason: extensions?.reason, requestId } };
}

export const headersOf = (mediaType: MediaType) => ({ 'Content-Type': `${mediaType}; charset=utf-8` });
