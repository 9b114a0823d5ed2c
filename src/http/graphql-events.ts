/** The events of GraphQL over SSE, distinct connections mode: `next` with a result each, then `complete`. */
import type { GatewayError } from '../errors/gateway-error.js';
import type { StreamFormat } from '../live/receiver.js';

/** Milliseconds after which a client may connect again. */
export const retryAfter = 1_000;

/** `text` is the JSON of a GraphQL result, in UTF-8. */
const next = (text: string, lines = ''): Buffer => Buffer.from(`${lines}event: next\ndata: ${text}\n\n`, 'latin1');

const complete = 'event: complete\ndata:\n\n';

export const graphqlEvents: StreamFormat = {
  name: 'graphql',
  event: (position, text, isOpening) => next(text, `${isOpening ? `retry: ${retryAfter}\n` : ''}id: ${position}\n`),
  end: (requestId, refusal) =>
    Buffer.from(`${refusal ? refused(refusal, requestId) : `retry: ${retryAfter}\n`}${complete}`),
  heartbeat: () => heartbeat,
};

const heartbeat = Buffer.from(':\n\n');

const refused = ({ message, code, details }: GatewayError, requestId: string): string =>
  next(JSON.stringify({ errors: [{ message, extensions: { code, ...details, requestId } }] })).toString('latin1');

/** The whole answer to a request that was refused: one result without data. */
export const refusedStream = (text: string): string => `event: next\ndata: ${text}\n\n${complete}`;
