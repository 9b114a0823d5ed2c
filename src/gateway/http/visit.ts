import { randomFillSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Logger } from 'pino';
import type { Observation, RequestMeter } from '../../change/observation.js';
import { RequestLog } from '../../common/log.js';
import { familyOf, networksIn } from '../../common/network.js';
import { noStore, securityHeaders } from './answer/headers.js';

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

/**
 * Gives every request its id, and writes one log line when it ends: method, path without query, status, milliseconds,
 * request id, key id, the client's address behind trusted proxies, the operation's name and kind, how it was executed,
 * its error codes, and `aborted` where the client disconnected early. No other headers, no queries, bodies or
 * values are logged: they may hold keys and private data.
 */
export function observe(
  log: Logger,
  isDraining: () => boolean,
  clientOf: (request: IncomingMessage) => string | undefined,
  measure?: (request: IncomingMessage) => RequestMeter,
): (request: IncomingMessage, response: ServerResponse) => RequestState {
  return (request, response) => {
    const startedAt = performance.now();
    const path = pathOf(request.url);
    const visit = new RequestState(
      requestIdOf(request.headers['x-request-id']),
      path,
      log,
      isDraining,
      measure?.(request),
    );
    // If it is refused before `100 Continue`, a client may or may not send its body. It is then unknown where the next
    // request begins, so the connection closes.
    // Behind a request to be upgraded Node reads no other.
    if (request.headers.expect !== undefined || request.headers.upgrade !== undefined)
      response.setHeader('Connection', 'close');
    const { method } = request;
    // At once, because a connection that has ended has no address.
    const client = clientOf(request);

    response.on('close', () => {
      const isAborted = !response.writableFinished;
      if (isAborted) visit.abandon();
      const { statusCode: status } = response;
      const { requestId, keyId, observation, meter } = visit;
      const level = levelOf(response, path);
      if (!meter && !log.isLevelEnabled(level)) return;
      const milliseconds = performance.now() - startedAt;
      meter?.end({ method, path, status, milliseconds, requestId, keyId, isAborted, observation });
      const ms = Math.round(milliseconds * 100) / 100;
      const aborted = isAborted || undefined;
      log[level]({ method, path, status, ms, requestId, keyId, client, ...observation, aborted }, 'request');
    });
    return visit;
  };
}

function levelOf({ writableFinished, statusCode }: ServerResponse, path: string): 'warn' | 'error' | 'debug' | 'info' {
  if (!writableFinished) return 'warn';
  if (statusCode >= 500) return 'error';
  return path === '/healthz' || path === '/readyz' ? 'debug' : 'info';
}

/** The path without the query, not decoded. */
export function pathOf(url = '/'): string {
  const [query, fragment] = [url.indexOf('?'), url.indexOf('#')];
  const end = query < 0 || (fragment >= 0 && fragment < query) ? fragment : query;
  return end < 0 ? url : url.slice(0, end);
}

/**
 * The id in every log line and error of a request: the client's `X-Request-Id` where it has only safe characters, else
 * a new id.
 */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(header) ? header : newRequestId();
}

const idBytes = 16;
const pool = Buffer.alloc(idBytes * 64);
/** The ids drawn and not yet used, in hexadecimal. */
let drawn = '';
let used = 0;

/**
 * 128 random bits in hexadecimal. 64 ids are drawn at once, because each call to the system is slow. More would waste
 * memory: as long as one id is kept, the text of all ids drawn with it stays in memory.
 */
function newRequestId(): string {
  if (used === drawn.length) {
    drawn = randomFillSync(pool).toString('hex');
    used = 0;
  }
  used += 2 * idBytes;
  return drawn.slice(used - 2 * idBytes, used);
}

/**
 * Finds the address of the client behind the proxies of the setting TRUSTED_PROXIES; undefined if it names none. Each
 * proxy writes the address that called it at the end of `X-Forwarded-For`, so from the end on it is believed as far as
 * those who wrote it are trusted: what a client has sent itself stands before that.
 */
export function clientAddresses(
  trustedProxies: readonly string[],
): (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string | undefined {
  if (trustedProxies.length === 0) return () => undefined;
  const trusted = networksIn(trustedProxies);

  return ({ headers, socket }) => {
    let client = addressIn(socket.remoteAddress ?? '');
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join().split(',');
    while (client !== undefined && trusted.check(client, familyOf(client))) {
      const before = addressIn(forwarded.pop() ?? '');
      if (before === undefined) break;
      client = before;
    }
    return client;
  };
}

/** The address in `10.0.0.1`, `10.0.0.1:4000`, `::1`, `[::1]:4000` or `::ffff:10.0.0.1`; undefined for another text. */
function addressIn(text: string): string | undefined {
  const address = text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$|^([\d.]+):\d+$/, '$1$3')
    .replace(/^::ffff:(?=[\d.]+$)/i, '');
  // An address with a zone, such as `fe80::1%eth0`, is of no use elsewhere, and a zone can be any text.
  return isIP(address) === 0 || address.includes('%') ? undefined : address;
}
