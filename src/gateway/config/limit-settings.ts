/** How long requests may take, how many and how large they may be, and from when on one is slow. */
import { count, megabytes, seconds, secondsOrNever, setting } from './setting.js';

export const limitSettings = {
  requestTimeout: setting({
    name: 'REQUEST_TIMEOUT',
    form: seconds,
    default: '30',
    meaning:
      'Seconds a request may take, including the look-up of its key but not the time to read its body. Then the work is stopped and answered 504.',
    requirement: 'must be a number of seconds greater than 0, with at most three decimals',
  }),
  slowOperation: setting({
    name: 'SLOW_OPERATION',
    form: secondsOrNever,
    default: '1',
    meaning:
      'An operation that takes this many seconds is logged as slow, with its hash, its cost and the plan of the database. With 0 none is logged.',
    requirement: 'must be a number of seconds with at most three decimals, or 0',
  }),
  requestsAtOnce: setting({
    name: 'REQUESTS_AT_ONCE',
    form: count,
    default: '1000',
    meaning: 'The number of requests handled at the same time. Further requests are answered 503 at once.',
    requirement: 'must be a whole number from 1',
  }),
  rateLimit: setting({
    name: 'RATE_LIMIT',
    form: count.optional(),
    meaning:
      'The number of requests each key may make per minute. Further requests are answered 429. If not set, there is no limit.',
    requirement: 'must be a whole number from 1',
  }),
  streamsAtOnce: setting({
    name: 'STREAMS_AT_ONCE',
    form: count,
    default: '10000',
    meaning: 'The number of streams of changes open at the same time. Further streams are answered 503 at once.',
    requirement: 'must be a whole number from 1',
  }),
  streamsPerKey: setting({
    name: 'STREAMS_PER_KEY',
    form: count,
    default: '1000',
    meaning:
      'The number of streams of changes each key may have open at the same time. Further streams are answered 429.',
    requirement: 'must be a whole number from 1',
  }),
  costLimit: setting({
    name: 'COST_LIMIT',
    form: count,
    default: '100000',
    meaning: 'The highest cost of a GraphQL operation. docs/cost.md says how the cost is counted.',
    requirement: 'must be a whole number from 1',
  }),
  answerLimit: setting({
    name: 'ANSWER_LIMIT',
    form: megabytes,
    default: '32',
    meaning: 'The largest answer in megabytes. A larger answer is refused.',
    requirement: 'must be a number of megabytes greater than 0 and at most 256, with at most three decimals',
  }),
};
