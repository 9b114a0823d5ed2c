import type { RequestContext } from '../context.js';
import { errors } from '../errors/errors.js';
import type { MaybePromise } from '../maybe-promise.js';
import { isFull } from './answer/outgoing-memory.js';
import { Deadline } from './deadline.js';
import { watchEventLoop } from './event-loop.js';

export interface WorkLimits {
  /** Milliseconds a request may take, without the time in which its body is read. */
  requestTimeout: number;
  /** Requests executed at the same time. */
  requestsAtOnce: number;
}

/**
 * Executes a request that has been read. @throws `timeout` when it takes too long, `busy` at once when the gateway has
 * too many others: a client can retry after `busy`, but gains nothing from an answer that comes too late
 */
export type RunRequest = <Result>(
  context: RequestContext,
  work: (context: RequestContext) => MaybePromise<Result>,
) => MaybePromise<Result>;

/** `isLate` reports an overloaded process, whatever the cause. */
export function createWork({ requestTimeout, requestsAtOnce }: WorkLimits, isLate = watchEventLoop()): RunRequest {
  let underWay = 0;

  return (context, work) => {
    if (underWay >= requestsAtOnce || isLate() || isFull()) throw errors.unavailable('busy');
    const { changes, webhooks, usage, identity, allowance, limits, requestId, log, observation } = context;
    const deadline = new Deadline(identity.keyId);
    const database = deadline.bound(context.database);
    const done = work({
      database,
      changes,
      webhooks,
      usage,
      identity,
      allowance,
      limits,
      requestId,
      log,
      observation,
      deadline,
      written: { rows: 0, characters: 0 },
    });
    if (!(done instanceof Promise)) return done;
    deadline.begin(context.timeLeft ?? requestTimeout);
    context.whenAbandoned?.(() => deadline.pass());
    underWay++;
    // Counted until the work ends, even after the client has been answered `timeout`.
    const end = () => {
      underWay--;
      deadline.lift();
    };
    done.then(end, end);
    return deadline.resultInTime(done);
  };
}
