/** The two forms of a stream at `/graphql`, each with a GraphQL result for each event. */

import type { StreamFormat } from '../../features/live/receiver.js';
import type { GatewayError } from '../../model/errors/gateway-error.js';
import { names } from './answer/accept.js';
import { eventStreamType } from './answer/event-stream.js';

export interface GraphqlStream extends StreamFormat {
  /** The whole answer to a request that was refused: one result without data. */
  refused(text: string): string;
}

/** The form that the `Accept` header names; undefined where it names none. */
export function streamFor(accept: string | undefined): GraphqlStream | undefined {
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

const errorsOf = ({ message, code, details }: GatewayError, requestId: string): string =>
  Buffer.from(JSON.stringify([{ message, extensions: { code, ...details, requestId } }])).toString('latin1');

const comment = bytes(':\n\n');

/** GraphQL over SSE, distinct connections mode: `next` with a result each, then `complete`. */
const serverSentEvents: GraphqlStream = {
  name: 'graphql',
  type: eventStreamType,
  event: (position, text, isOpening) =>
    bytes(next(text, `${isOpening ? `retry: ${retryAfter}\n` : ''}id: ${position}\n`)),
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
  event: (_, text, isOpening) => bytes(`${isOpening ? delimiter : ''}${part(`{"payload":${text}}`)}`),
  end: (requestId, refusal) =>
    bytes(`${refusal ? part(`{"payload":null,"errors":${errorsOf(refusal, requestId)}}`) : ''}--\r\n`),
  heartbeat: () => emptyPart,
  refused: (text) => `${delimiter}${part(`{"payload":${text}}`)}--\r\n`,
};
