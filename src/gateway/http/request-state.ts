import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Observation, RequestMeter } from '../../change/observation.js';
import { RequestLog } from '../../common/log.js';
import { noStore, securityHeaders } from './answer/security-headers.js';

/** The state of one request from its first byte on: its id, its log, and the headers of its answer. */
export class RequestState {
  /** Adds the request id to every line. */
  readonly log: RequestLog;
  /** Headers of the answer, as alternating names and values: passing them to Node at once takes half the time. */
  readonly headers: string[];
  /** The id of the authenticated key, never its secret. */
  keyId: string | undefined;
  /** Whether the request changes nothing, so that it is safe to abort and to repeat. */
  isRead = false;
  /** Called when the client has gone away; created on first use. */
  #stops: Set<() => void> | undefined;
  /** What the log line says of the operation. */
  readonly observation: Observation = {};

  /** `isLast` is asked when the answer is sent: whether to close the connection afterwards. */
  constructor(
    readonly requestId: string,
    /** Without the query, not decoded. */
    readonly path: string,
    log: Logger,
    readonly isLast: () => boolean,
    /** Measures the request; undefined without metrics and traces. */
    readonly meter?: RequestMeter,
  ) {
    this.log = new RequestLog(log, requestId);
    this.headers = [...securityHeaders, 'X-Request-Id', requestId];
  }

  /** Calls `stop` if the client disconnects during a read. A write is always finished. */
  whenAbandoned(stop: () => void): void {
    this.#stops ??= new Set();
    this.#stops.add(stop);
  }

  /** Called when the client disconnects before it has its answer. */
  abandon(): void {
    if (!this.isRead) return;
    this.log.isAbandoned = true;
    for (const stop of this.#stops ?? []) stop();
  }

  /** Copies the headers to a response of Express, which may still change them. */
  prepare(response: ServerResponse): void {
    response.setHeader(...noStore);
    for (let index = 0; index < this.headers.length; index += 2) {
      response.setHeader(this.headers[index] ?? '', this.headers[index + 1] ?? '');
    }
  }
}

/** Remembers the visit for Express handlers, which are given only the request. */
export function keepRequestState(request: IncomingMessage, visit: RequestState): void {
  visits.set(request, visit);
}

/** The visit of a request that Express handles. */
export function requestStateOf(request: IncomingMessage): RequestState {
  const visit = visits.get(request);
  if (!visit) throw new Error('This request has not passed the listener');
  return visit;
}

const visits = new WeakMap<IncomingMessage, RequestState>();
