/**
 * Queries whose answers can have many values are executed by the resolvers a few at a time. Each of them works between the
 * turns that it gives to others, so those who wait for one record wait for all that work at the same time.
 */
import type { RequestContext } from '../context.js';
import { FairQueue } from '../database/fair-queue.js';
import { errors } from '../errors.js';
import type { Operation } from '../operation/admission.js';

/** Values from which an answer has many; see docs/cost.md. */
export const manyValues = 20_000;

/** Such queries at the same time, how many may wait, and for how many milliseconds. */
export const longQueries = { atOnce: 2, waiting: 1_000, waitMillis: 10_000 };

/** Makes the queue. A query runs in its turn if it is long, and at once if not. @throws `busy`, `timeout` */
export function createLongQueries() {
  const queue = new FairQueue(
    { ...longQueries, perCaller: longQueries.atOnce },
    { busy: () => errors.unavailable('busy', undefined, waited), over: () => errors.timeout() },
  );
  return <Result>(operation: Operation, { deadline }: RequestContext, run: () => Promise<Result>): Promise<Result> => {
    const isLong = operation.kind === 'query' && operation.cost.requested >= manyValues;
    return isLong ? queue.take(deadline, () => ({ done: run() })) : run();
  };
}

const waited = `The query can have ${manyValues} values or more, and too many such queries are waiting, or it has waited ${longQueries.waitMillis / 1000} s`;
