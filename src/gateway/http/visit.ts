import { randomFillSync } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Logger } from 'pino';
import type { Observation, RequestMeter } from '../../change/observation.js';
import { familyOf, networksIn } from '../../common/network.js';
import { RequestLog } from '../../common/output.js';
import { noStore, securityHeaders } from './answer/headers.js';

export interface VisitedGateway {
  log: Logger;
  /** Once it has begun, each answer closes its connection. */
  drain: { readonly hasBegun: boolean };
  /** The address of the client behind trusted proxies. */
  clientOf(request: IncomingMessage): string | undefined;
  /** Makes what measures the request; undefined without metrics and traces. */
  measure: ((request: IncomingMessage) => RequestMeter) | undefined;
}

/**
 * One request from its first byte to the end of its answer: its id, its log, and the headers of its answer. It writes one log line
 * when it ends: method, path without query, status, milliseconds, request id, key id, the client's address behind trusted
 * proxies, the operation's name and kind, how it was executed, its error codes, and `aborted` where the client disconnected early.
 * No other headers, no queries, bodies or values are logged: they may hold keys and private data.
 */
export class Visit {
  readonly requestId: string;
  /** Without the query, not decoded. */
  readonly path: string;
  /** Adds the request id to every line. */
  readonly log: RequestLog;
  /** Headers of the answer, as alternating names and values: passing them to Node at once takes half the time. */
  readonly headers: string[];
  /** What the log line says of the operation. */
  readonly observation: Observation = {};
  readonly meter: RequestMeter | undefined;
  /** The id of the authenticated key, never its secret. */
  keyId: string | undefined;
  /** Whether the request changes nothing, so that it is safe to abort and to repeat. */
  isRead: boolean;
  /** Called when the client has gone away; created on first use. */
  #stops: Set<() => void> | undefined;
  readonly #startedAt = performance.now();
  readonly #client: string | undefined;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    private readonly gateway: VisitedGateway,
  ) {
    const { headers, method } = request;
    this.isRead = method === 'GET' || method === 'HEAD';
    this.requestId = requestIdOf(headers['x-request-id']);
    this.path = pathOf(request.url);
    this.log = new RequestLog(gateway.log, this.requestId);
    this.headers = [...securityHeaders, 'X-Request-Id', this.requestId];
    this.meter = gateway.measure?.(request);
    // If it is refused before `100 Continue`, a client may or may not send its body. It is then unknown where the next
    // request begins, so the connection closes. Behind a request to be upgraded Node reads no other.
    if (headers.expect !== undefined || headers.upgrade !== undefined) response.setHeader('Connection', 'close');
    // At once, because a connection that has ended has no address.
    this.#client = gateway.clientOf(request);
    response.on('close', () => this.#end());
  }

  get hasBody(): boolean {
    const { 'transfer-encoding': coding, 'content-length': length = 0 } = this.request.headers;
    return coding !== undefined || Number(length) !== 0;
  }

  /** Whether the connection is closed after the answer. */
  get isLast(): boolean {
    return this.gateway.drain.hasBegun;
  }

  /** Calls `stop` if the client disconnects during a read. A write is always finished. */
  whenAbandoned(stop: () => void): void {
    this.#stops ??= new Set();
    this.#stops.add(stop);
  }

  /** Hands the request to Express: copies the headers to the response, which it may still change. */
  toExpress(app: RequestListener): void {
    const { request, response, headers } = this;
    response.setHeader(...noStore);
    for (let index = 0; index < headers.length; index += 2) {
      response.setHeader(headers[index] ?? '', headers[index + 1] ?? '');
    }
    visits.set(request, this);
    app(request, response);
  }

  #end(): void {
    const { request, response, path, requestId, keyId, observation, meter } = this;
    const { log } = this.gateway;
    const isAborted = !response.writableFinished;
    if (isAborted && this.isRead) this.#abandon();
    const level = levelOf(response, path);
    if (!meter && !log.isLevelEnabled(level)) return;
    const { method } = request;
    const { statusCode: status } = response;
    const milliseconds = performance.now() - this.#startedAt;
    meter?.end({ method, path, status, milliseconds, requestId, keyId, isAborted, observation });
    const ms = Math.round(milliseconds * 100) / 100;
    const aborted = isAborted || undefined;
    log[level](
      { method, path, status, ms, requestId, keyId, client: this.#client, ...observation, aborted },
      'request',
    );
  }

  #abandon(): void {
    this.log.isAbandoned = true;
    for (const stop of this.#stops ?? []) stop();
  }
}

/** The visit of a request that Express handles: it gives its handlers only the request. */
export function visitOf(request: IncomingMessage): Visit {
  const visit = visits.get(request);
  if (!visit) throw new Error('This request has not passed the listener');
  return visit;
}

const visits = new WeakMap<IncomingMessage, Visit>();

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
