import type { RequestContext } from '../context.js';
import { errors } from '../errors.js';
import type { MaybePromise } from '../when-there.js';
import { Deadline } from './deadline.js';
import { watchEventLoop } from './event-loop.js';
import { isFull } from './outgoing.js';

export interface WorkLimits {
  /** Milliseconds a request may take once it has been read. */
  requestTimeout: number;
  /** Requests worked on at a time. */
  requestsAtOnce: number;
}

/**
 * Does the work of a request that has been read: in its time, or `timeout`; and among no more others than the gateway
 * can take, or `busy` at once, which a client can do more with than with an answer that comes too late.
 */
export type Work = <Result>(
  context: RequestContext,
  work: (context: RequestContext) => MaybePromise<Result>,
) => MaybePromise<Result>;

/** `isLate` tells of more than the process can do, of whatever kind. */
export function createWork({ requestTimeout, requestsAtOnce }: WorkLimits, isLate = watchEventLoop()): Work {
  let underWay = 0;

  return (context, work) => {
    if (underWay >= requestsAtOnce || isLate() || isFull()) throw errors.unavailable('busy');
    const { identity, requestId, log, observation } = context;
    const deadline = new Deadline();
    const done = work({ database: deadline.bound(context.database), identity, requestId, log, observation, deadline });
    if (!(done instanceof Promise)) return done;
    deadline.begin(requestTimeout);
    context.whenAbandoned?.(() => deadline.pass());
    underWay++;
    // Counted until it ends, also when nobody waits for it any more.
    const end = () => {
      underWay--;
      deadline.lift();
    };
    done.then(end, end);
    return deadline.within(done);
  };
}
