/** Refusals because of load: of one key, of all clients, or because a request took too long. */

import type { Row } from '../covering-array.js';
import { beforeOperations, type Guard, refusal, unchanged } from '../guard.js';

/** Trusted documents need a gateway of their own, and these guards need another one. */
const untrusted = ({ text }: Row) =>
  text?.startsWith('trusted') ? 'trusted documents need another gateway' : undefined;
/** A request with an unknown hash is answered at once, so it does not reach the guard. */
const withText = (row: Row) =>
  untrusted(row) ?? (row.text === 'by its hash' ? 'the request that sends its text would be refused too' : undefined);

export const loadGuards: Guard[] = [
  {
    name: 'load: a key that has made all its requests of the minute',
    skips: beforeOperations,
    state: 'rate limit reached',
    graphql: { makeInvalid: unchanged, refusals: [refusal(429, 'RATE_LIMITED')], skips: untrusted },
    rest: { makeInvalid: unchanged, refusals: [refusal(429, 'rate_limited')] },
  },
  {
    name: 'load: a gateway with as many requests as it takes',
    skips: beforeOperations,
    state: 'all places taken',
    graphql: { makeInvalid: unchanged, refusals: [refusal(503, 'UNAVAILABLE')], skips: withText },
    rest: { makeInvalid: unchanged, refusals: [refusal(503, 'busy')] },
  },
  {
    name: 'load: a database that does not answer in time',
    skips: ({ kind, name }) => {
      if (kind === 'query') return 'a read waits for no writer';
      return name === 'create a key' || name === 'save with validateOnly'
        ? 'it writes to tables that are not locked'
        : undefined;
    },
    state: 'tables locked',
    graphql: {
      makeInvalid: unchanged,
      refusals: [refusal(504, 'TIMEOUT'), refusal('field', 'TIMEOUT')],
      skips: withText,
    },
    rest: { makeInvalid: unchanged, refusals: [refusal(504, 'timeout')] },
  },
];
