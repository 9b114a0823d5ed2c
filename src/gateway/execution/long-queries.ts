/**
 * Queries whose answers can have many values are executed by the resolvers one after another. Each yields to the event
 * loop now and then; if several ran at the same time, a short request would have to wait for a slice of each. The keys
 * take turns, so that no key waits for all queries of another.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestContext } from '../../change/context.js';
import { FairQueue } from '../../database/queues/fair-queue.js';
import type { Operation } from '../../graphql/operation/admission.js';
import { errors } from '../../model/errors/errors.js';

/** Values from which an answer has many; see docs/cost.md. */
export const manyValues = 20_000;

export const longQueries = {
  /** Milliseconds after which the next one begins anyway: the one before may be waiting for the database. */
  alone: 2_000,
  /** How many keys may wait for their turn, and for how many milliseconds. */
  waiting: 1_000,
  waitMillis: 10_000,
};

type Queued = { kind: Operation['kind']; cost: Pick<Operation['cost'], 'requested'> };
type Waiting = Pick<RequestContext, 'deadline'> & { identity: Pick<RequestContext['identity'], 'keyId'> };

/** Makes the queue. A query runs in its turn if it is long, and at once if not. @throws `busy`, `timeout` */
export function createLongQueries() {
  const { alone, waiting, waitMillis } = longQueries;
  const queue = new FairQueue(
    { atOnce: 1, perCaller: 1, waiting, waitMillis },
    { busy: () => errors.unavailable('busy', undefined, waited), over: () => errors.timeout() },
  );
  return <Result>(operation: Queued, { deadline, identity }: Waiting, run: () => Promise<Result>): Promise<Result> => {
    const isLong = operation.kind === 'query' && operation.cost.requested >= manyValues;
    if (!isLong) return run();
    return new Promise((resolve, reject) => {
      // It begins when another query ends, so it is bound to its own asynchronous context: it must not be counted and
      // traced as part of the other.
      const begin = AsyncLocalStorage.bind(() => {
        const result = run();
        result.then(resolve, reject);
        const isDone = result.then(nothing, nothing);
        return { done: Promise.race([isDone, sleep(alone, undefined, { ref: false })]) };
      });
      queue.take(deadline, begin, identity.keyId).catch(reject);
    });
  };
}

const nothing = () => undefined;

const waited = `The query can have ${manyValues} values or more, and too many such queries are waiting, or its key has waited ${longQueries.waitMillis / 1000} s for a turn`;
