import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { RequestLog } from '../log.js';
import type { Observation } from '../observation.js';
import { noStore, securityHeaders } from './security-headers.js';

/** What is known of a request from its first byte on, and what its answer says whatever it is. */
export class Visit {
  /** Writes the request id into every line. */
  readonly log: RequestLog;
  /** Headers of the answer, each name followed by its value: Node takes all at once in half the time of one by one. */
  readonly headers: string[];
  /** The key that was shown, once it has been found good. Never its secret. */
  keyId: string | undefined;
  /** Whether it changes nothing, so that it may be asked again whatever becomes of its answer. */
  isRead = false;
  /** What is stopped when nobody waits for the answer any more. */
  readonly #stops = new Set<() => void>();
  /** What becomes known of the operation it asks for. */
  readonly observation: Observation = {};

  /** `isLast` tells, when the answer is sent, whether its connection is to end with it. */
  constructor(
    readonly requestId: string,
    log: Logger,
    readonly isLast: () => boolean,
  ) {
    this.log = new RequestLog(log, requestId);
    this.headers = [...securityHeaders, 'X-Request-Id', requestId];
  }

  /** Calls `stop` if the client goes away while a read is under way; a change is done all the same. */
  whenAbandoned(stop: () => void): void {
    this.#stops.add(stop);
  }

  /** The client went away before it had its answer. */
  abandon(): void {
    if (this.isRead) for (const stop of this.#stops) stop();
  }

  /** Writes the headers on an answer that Express makes, which may still change them. */
  prepare(response: ServerResponse): void {
    response.setHeader(...noStore);
    for (let index = 0; index < this.headers.length; index += 2) {
      response.setHeader(this.headers[index] ?? '', this.headers[index + 1] ?? '');
    }
  }
}

/** Keeps the visit for the handlers of Express, which are given nothing but the request. */
export function keepVisit(request: IncomingMessage, visit: Visit): void {
  visits.set(request, visit);
}

/** The visit of a request that Express handles. */
export function visitOf(request: IncomingMessage): Visit {
  const visit = visits.get(request);
  if (!visit) throw new Error('This request has not passed the listener');
  return visit;
}

const visits = new WeakMap<IncomingMessage, Visit>();
