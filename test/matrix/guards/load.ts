/** Gateways that refuse requests because of load: of this key, of everybody, or because the time is over. */

import type { Row } from '../covering.js';
import { beforeOperations, type Guard, refusal, unspoiled } from '../guard.js';

/** Trusted documents need a gateway of their own, and these guards need another one. */
const untrusted = ({ text }: Row) =>
  text?.startsWith('trusted') ? 'the gateway of trusted documents is another' : undefined;
/** A request without its text would be answered without waiting. */
const oneRequest = (row: Row) =>
  untrusted(row) ?? (row.text === 'by its hash' ? 'its text would not be taken either' : undefined);

export const loadGuards: Guard[] = [
  {
    name: 'load: a key that has made all its requests of the minute',
    skips: beforeOperations,
    house: 'spent key',
    graphql: { spoil: unspoiled, refusals: [refusal(429, 'RATE_LIMITED')], skips: untrusted },
    rest: { spoil: unspoiled, refusals: [refusal(429, 'rate_limited')] },
  },
  {
    name: 'load: a gateway with as many requests as it takes',
    skips: beforeOperations,
    house: 'crowded',
    graphql: { spoil: unspoiled, refusals: [refusal(503, 'UNAVAILABLE')], skips: oneRequest },
    rest: { spoil: unspoiled, refusals: [refusal(503, 'busy')] },
  },
  {
    name: 'load: a database that does not answer in time',
    skips: ({ kind, name }) => {
      if (kind === 'query') return 'a read waits for no writer';
      return name === 'make a key' || name === 'save for trial' ? 'it waits for other rows' : undefined;
    },
    house: 'locked',
    graphql: { spoil: unspoiled, refusals: [refusal(504, 'TIMEOUT'), refusal('field', 'TIMEOUT')], skips: oneRequest },
    rest: { spoil: unspoiled, refusals: [refusal(504, 'timeout')] },
  },
];
