import type { IncomingHttpHeaders } from 'node:http';
import type { Arrival } from '../../change/arrival.js';
import type { RequestContext } from '../../change/context.js';
import { type MaybePromise, recoverWith, whenResolved } from '../../common/maybe-promise.js';
import { errors } from '../../model/errors/errors.js';
import { GatewayError } from '../../model/errors/gateway-error.js';
import { isFull } from './answer/send.js';
import { Deadline } from './deadline.js';
import type { RequestState } from './visit.js';

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
    const { changes, gateway, allowance, limits, publicUrl, requestId, log, observation, keyId, identify } = arrival;
    const deadline = new Deadline(keyId);
    const database = deadline.bound(arrival.database);
    const done = whenResolved(identify(), (identity) =>
      work({
        database,
        changes,
        gateway,
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

/** Milliseconds between two questions. A cached key is answered at once, and asking for it costs next to nothing. */
const askedEvery = 500;

/**
 * Asks for the key of a request again and again while it is worked on, and calls `end` with the refusal once it does not
 * count any more. While the database does not answer, only the time of the request counts, and all questions wait for one look-up. Returns what ends the asking.
 */
function askAgain(identify: () => MaybePromise<unknown>, end: (refusal: Error) => void): () => void {
  const timer = setInterval(
    () =>
      recoverWith<unknown>(identify, (error) => {
        if (error instanceof GatewayError && error.code === 'UNAUTHENTICATED') end(error);
      }),
    askedEvery,
  );
  return () => clearInterval(timer);
}

/** Milliseconds: the interval of the timer, and the delay from which one tick counts as late. */
export const tickTimes = { every: 100, late: 500 };
/** How many ticks in a row must be late: one long task is not an overload. */
export const lateTicks = 4;

/**
 * Detects overload: when more work arrives than the process can do, timers fire late again and again. Costs one timer,
 * which ends with the process.
 */
export function watchEventLoop({ every, late } = tickTimes): () => boolean {
  let lateInRow = 0;
  let due = performance.now() + every;
  const tick = () => {
    const now = performance.now();
    lateInRow = now - due > late ? lateInRow + 1 : 0;
    due = now + every;
  };
  setInterval(tick, every).unref();
  return () => lateInRow >= lateTicks;
}

/**
 * Makes reads from standbys include what a client has seen. The answer to a mutation has the position of the primary in
 * the header `Read-After`; a request that sends it back reads nothing older, whichever gateway answers it. Requests
 * with the same key to the same gateway need no header.
 */
const readAfterHeader = 'Read-After';

type Work<Result> = () => MaybePromise<Result>;

/** Does the work of a query; `context` is of this request alone. */
export function reading<Result>(
  context: RequestContext,
  { 'read-after': after }: IncomingHttpHeaders,
  work: Work<Result>,
): MaybePromise<Result> {
  const { database, identity, deadline } = context;
  const { standbys, read: primary } = database;
  if (standbys && primary) {
    const read = standbys.readerFor(identity.keyId, after === undefined ? undefined : String(after), primary);
    context.standby = (sql, values, reach) => {
      const rows = read(sql, values, reach, deadline);
      return deadline?.statements?.noted(sql, rows) ?? rows;
    };
  }
  return work();
}

/**
 * Does the work of a mutation. Whatever its outcome is, even a refusal or a stored answer, it shows the present state
 * of a record, so later reads must see nothing older.
 */
export function writing<Result>(
  context: RequestContext,
  visit: RequestState,
  work: Work<Result>,
): MaybePromise<Result> {
  const { database, identity } = context;
  const { standbys } = database;
  if (!standbys) return work();
  const addPosition = async () => {
    visit.headers.push(readAfterHeader, await standbys.written(identity.keyId));
  };
  return (async () => {
    try {
      return await work();
    } finally {
      await addPosition();
    }
  })();
}
