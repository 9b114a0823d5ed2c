import type { Arrival } from '../../change/arrival.js';
import type { RequestContext } from '../../change/context.js';
import { type MaybePromise, whenResolved } from '../../common/maybe-promise.js';
import { errors } from '../../model/errors/errors.js';
import { isFull } from './answer/outgoing-memory.js';
import { askAgain } from './ask-again.js';
import { Deadline } from './deadline.js';
import { watchEventLoop } from './event-loop.js';

export interface WorkLimits {
  /** Milliseconds a request may take, without the time in which its body is read. */
  requestTimeout: number;
  /** Requests executed at the same time. */
  requestsAtOnce: number;
}

/**
 * Executes a request that has been read, in the name of its key as it is now: only this makes a `RequestContext` of a
 * request. If the key ends while the request waits or is executed, it is stopped as if its time were over.
 *
 * @throws `timeout` when it takes too long, `busy` at once when the gateway has too many others: a client can retry after
 * `busy`, but gains nothing from an answer that comes too late; and as `Arrival.identify` says
 */
export type RunRequest = <Result>(
  arrival: Arrival,
  work: (context: RequestContext) => MaybePromise<Result>,
) => MaybePromise<Result>;

/** `isLate` reports an overloaded process, whatever the cause. */
export function createWork({ requestTimeout, requestsAtOnce }: WorkLimits, isLate = watchEventLoop()): RunRequest {
  let underWay = 0;

  return (arrival, work) => {
    if (underWay >= requestsAtOnce || isLate() || isFull()) throw errors.unavailable('busy');
    const { changes, webhooks, usage, allowance, limits, publicUrl, requestId, log, observation, keyId, identify } =
      arrival;
    const deadline = new Deadline(keyId);
    const database = deadline.bound(arrival.database);
    const done = whenResolved(identify(), (identity) =>
      work({
        database,
        changes,
        webhooks,
        usage,
        identity,
        allowance,
        limits,
        publicUrl,
        requestId,
        log,
        observation,
        deadline,
        written: { rows: 0, characters: 0 },
      }),
    );
    if (!(done instanceof Promise)) return done;
    deadline.begin(arrival.timeLeft ?? requestTimeout);
    const stopAsking = askAgain(identify, (refusal) => deadline.pass(refusal));
    arrival.whenAbandoned?.(() => deadline.pass());
    underWay++;
    // Counted until the work ends, even after the client has been answered `timeout`.
    const end = () => {
      underWay--;
      deadline.lift();
      stopAsking();
    };
    done.then(end, end);
    return deadline.resultInTime(done);
  };
}
