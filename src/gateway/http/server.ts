import { EventEmitter } from 'node:events';
import {
  createServer as createNodeServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { errors } from '../../model/errors/errors.js';
import type { GatewayError } from '../../model/errors/gateway-error.js';
import type { Calls, Surface } from '../call.js';
import { send } from './answer/send.js';
import { closeGently, discard, limitTaking } from './slow-clients.js';
import { Visit, type VisitedGateway } from './visit.js';

/** Milliseconds a slow client may take to send its headers and body, or to read nothing of its answer. */
export const slowestClient = 10_000;

/** Milliseconds between checks for slow clients. */
const checkEvery = 500;

/**
 * Milliseconds an idle connection is kept. Longer than the common 60 seconds of load balancers, so that they never send
 * a request on a connection that is being closed.
 */
export const keepAlive = 65_000;

const closing = new WeakSet<Server>();

/** Closes the idle connections, and from now on every other one after its answer. */
export function closeIdleConnections(server: Server): void {
  closing.add(server);
  server.closeIdleConnections();
}

/** An HTTP server that closes the connections of slow clients. It does not listen yet. */
export function createServer(app: RequestListener, longest = slowestClient): Server {
  const requestTime = longest - Math.min(checkEvery, longest / 2);
  const server: Server = createNodeServer(
    {
      headersTimeout: requestTime,
      requestTimeout: requestTime,
      connectionsCheckingInterval: longest - requestTime,
      keepAliveTimeout: keepAlive,
      // By default Node drops the second of two equal headers, but a proxy in front may have used that one.
      joinDuplicateHeaders: true,
      // `app` refuses a request without a host, in our words.
      requireHostHeader: false,
    },
    (request, response) => {
      response.emit = emit;
      latest.set(request.socket, response);
      // Node gives the socket to one response at a time.
      if (response.socket) app(request, response);
      else waitInTurn(request, response, app);
    },
  );
  answerBrokenRequests(server, app, longest);
  const emit = limitingEmit(longest, () => closing.has(server));
  // By default Node drops headers beyond 2,000 without a word; all have to fit into 16 kB anyway.
  server.maxHeadersCount = 0;
  // With `Expect: 100-continue`, `readBody` tells the client to continue once its key and body length are accepted.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  // Any other expectation is refused by `app`.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}

/** Wraps a listener so that requests wait until `admit` is called. */
export function holdRequests(listener: RequestListener): { listener: RequestListener; admit(): void } {
  let waiting: (() => void)[] | undefined = [];
  return {
    listener: (request, response) => {
      if (waiting) waiting.push(() => listener(request, response));
      else listener(request, response);
    },
    admit() {
      const early = waiting ?? [];
      waiting = undefined;
      for (const begin of early) begin();
    },
  };
}

/**
 * The `emit` of responses that closes the connection of a client that takes nothing for `longest` milliseconds. Listeners on each response would take 4 % of
 * the time of a short read, and Express replaces the prototype of a response, so that a class cannot do it.
 */
function limitingEmit(longest: number, isClosing: () => boolean) {
  return function (this: ServerResponse, event: string | symbol, ...details: unknown[]): boolean {
    const { socket } = this;
    // A response sent in pieces is finished only after the client has read most of it, so each piece says so.
    if (socket && (event === 'pieces' || (event === 'prefinish' && socket.writableLength > 0))) {
      limitTaking(socket, longest);
    }
    // Node may close the connection now, though its client is still sending.
    if (event === 'finish' && socket && (!this.req.complete || hasMore(this.req))) {
      socket.destroySoon = () => closeGently(socket, longest);
    }
    // An idle connection keeps nothing of its last answer, which may have been large.
    if (event === 'close' && this.req.complete && latest.get(this.req.socket) === this) latest.delete(this.req.socket);
    // A response whose headers were written before the stop has told its client to keep the connection.
    if (event === 'close' && !afterAnswer(this.req) && isClosing()) this.req.socket.destroySoon();
    return EventEmitter.prototype.emit.call(this, event, ...details);
  };
}

// Requests that a client sends on one connection without waiting for answers are worked on one after another: their answers
// would otherwise wait in memory behind the first one that the client has not read.

/** Requests of one connection that wait, from which nothing more is read of it; those already received still come. */
const mostWaiting = 8;

interface Waiting {
  request: IncomingMessage;
  response: ServerResponse;
  app: RequestListener;
}

const waiting = new WeakMap<Socket, Waiting[]>();

/** Begins the work on a request when all answers before it on its connection have been sent. */
function waitInTurn(request: IncomingMessage, response: ServerResponse, app: RequestListener): void {
  const { socket } = request;
  const line = waiting.get(socket) ?? [];
  waiting.set(socket, line);
  if (line.push({ request, response, app }) >= mostWaiting) socket.pause();
}

const hasMore = ({ socket }: IncomingMessage): boolean => waiting.has(socket);

/**
 * Called when an answer has been sent, or its client is gone. The loop gets a turn before the next request begins. Returns
 * whether there is one.
 */
function afterAnswer(request: IncomingMessage): boolean {
  const isWaiting = hasMore(request);
  if (isWaiting) setImmediate(next, request.socket);
  return isWaiting;
}

function next(socket: Socket): void {
  const line = waiting.get(socket) ?? [];
  const [first] = line;
  // A response without a socket cannot be sent, because the connection is being closed.
  if (!first?.response.socket || socket.destroyed) return void waiting.delete(socket);
  line.shift();
  if (line.length === 0) waiting.delete(socket);
  if (line.length < mostWaiting) socket.resume();
  first.app(first.request, first.response);
}

/**
 * What Node would answer by itself, without our headers, a request id or a line in the log: what it cannot read as a
 * request, or waits for in vain. It is given to the listener as a request that is to be refused, with the reason.
 */
const broken = new WeakMap<IncomingMessage, GatewayError>();

/** Emitted by a request whose body breaks off while it is worked on, with the reason. */
export const brokenOff = 'broken off';

/** Why a request is to be refused, whatever it asks for. */
export function requestRefusal(request: IncomingMessage): GatewayError | undefined {
  const { host, expect } = request.headers;
  const isNew = request.httpVersion === '1.1';
  // Node joins repeated headers with a comma, which no host name contains (RFC 9112, 3.2).
  if (host === undefined ? isNew : host.includes(',')) return broken.get(request) ?? errors.badRequest('host_invalid');
  if (expect !== undefined && isNew && !awaitsContinue(request)) return errors.badRequest('expectation_failed');
  return broken.get(request);
}

/** Whether the client waits for `100 Continue` before it sends its body; see `createServer`. */
export function awaitsContinue(request: IncomingMessage): boolean {
  return request.headers.expect?.toLowerCase() === '100-continue';
}

/** The last response that has begun on a connection. */
const latest = new WeakMap<Socket, ServerResponse>();

function answerBrokenRequests(server: Server, app: RequestListener, longest: number): void {
  const refuse = (request: IncomingMessage, refusal: GatewayError) => {
    const { socket } = request;
    // Node gives the socket to one response at a time, also some moments longer than the answer takes.
    const before = latest.get(socket);
    if (before && !before.closed) return void before.once('close', () => refuse(request, refusal));
    if (socket.destroyed || !socket.writable) return closeGently(socket, longest);
    const response = new ServerResponse(request);
    latest.set(socket, response);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.on('prefinish', () => closeGently(socket, longest));
    response.on('finish', () => {
      response.detachSocket(socket);
      response.emit('close');
    });
    broken.set(request, refusal);
    app(request, response);
  };

  server.on('clientError', (error: NodeJS.ErrnoException & { reason?: string }, socket: Socket) => {
    if (socket.destroyed || !socket.writable) return closeGently(socket, longest);
    // A connection on which nothing was asked: browsers open some in case they need them.
    if (socket.bytesRead === 0) return closeGently(socket, longest);
    const response = latest.get(socket);
    const refusal = refusalFor(error);
    if (!response || response.req.complete) {
      discard(socket);
      return refuse(new IncomingMessage(socket), refusal);
    }
    // The client has gone in the middle of its request: that is no mistake to be answered, and the log says `aborted`.
    if (error.code === 'HPE_INVALID_EOF_STATE') return void socket.destroy();
    if (response.headersSent) return closeGently(socket, longest);
    discard(socket);
    response.shouldKeepAlive = false;
    broken.set(response.req, refusal);
    response.req.emit(brokenOff, refusal);
  });

  server.on('connect', (request, connection) => {
    // Node has taken its own listeners from the connection.
    connection.on('error', () => connection.destroy());
    refuse(request, errors.badRequest('method_not_allowed', 'This is no proxy: it opens no connections to others.'));
  });
}

function refusalFor({ code, reason }: { code?: string | undefined; reason?: string }): GatewayError {
  if (code === 'HPE_HEADER_OVERFLOW') return errors.badRequest('headers_too_large');
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return errors.badRequest('body_too_large', 'The chunks of the body have extensions of more than 16 kB.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return errors.badRequest('request_timeout');
  // The parser has fixed words for its reasons, and quotes nothing of the request.
  return errors.badRequest(
    'request_malformed',
    `The request cannot be read as HTTP/1.1${reason ? `: ${reason}` : ''}.`,
  );
}

/** What answers requests, chosen by path before Express sees the request. */
export interface Handlers {
  calls: Calls;
  cors: Cors;
  rest: Surface<unknown>;
  graphql: Surface<unknown>;
  /** Express: the pages, the health checks and unknown paths. */
  others: RequestListener;
}

/**
 * Routes REST and GraphQL requests around Express, whose routing costs more than reading a record by its id. Express
 * handles everything else, among it GET `/graphql`, which may be a browser that opens GraphiQL.
 */
export function createListener(gateway: VisitedGateway, handlers: Handlers): RequestListener {
  return (request, response) => {
    request.url = originForm(request.url);
    const visit = new Visit(request, response, gateway);
    if (visit.meter) visit.meter.run(() => route(visit, handlers));
    else route(visit, handlers);
  };
}

function route(visit: Visit, { calls, cors, rest, graphql, others }: Handlers): void {
  const { request } = visit;
  const refusal = requestRefusal(request);
  if (refusal) return (visit.path === '/graphql' ? graphql : rest).refuse(visit, refusal);
  if (cors(visit)) return send(visit, { status: 204, headers: {}, body: undefined });
  const { method, url = '' } = request;
  if (url.startsWith('/api/')) return calls.call(rest, visit);
  if (method === 'POST' && url === '/graphql') return calls.call(graphql, visit);
  visit.toExpress(others);
}

/** The path and query of a request target, which may include the origin (RFC 9112, 3.2.2). */
function originForm(target = '/'): string {
  if (target.startsWith('/')) return target;
  const path = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  if (path === undefined) return target;
  return path.startsWith('/') ? path : `/${path}`;
}

/**
 * Adds the CORS headers for allowed origins. Returns true for a preflight request, which is then answered 204 without
 * further work.
 */
type Cors = (visit: Visit) => boolean;

/**
 * `origins` lists the origins whose pages may call the gateway; `*` allows all, an empty list none. Credentials are
 * never allowed (Fetch standard, 3.2): a page sends its key itself, the browser never adds it.
 */
export function createCors(origins: readonly string[]): Cors {
  if (origins.length === 0) return () => false;
  const everyone = origins.includes('*');

  return ({ request, headers }) => {
    if (!everyone) headers.push('Vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !(everyone || origins.includes(origin))) return false;
    headers.push('Access-Control-Allow-Origin', everyone ? '*' : origin);
    headers.push('Access-Control-Expose-Headers', exposed);
    const asks = request.headers['access-control-request-method'] !== undefined;
    if (request.method !== 'OPTIONS' || !asks) return false;
    headers.push('Access-Control-Allow-Methods', 'GET, HEAD, POST, PATCH, DELETE');
    headers.push('Access-Control-Allow-Headers', taken);
    headers.push('Access-Control-Max-Age', '86400');
    return true;
  };
}

/** Response headers that a page may read beyond those that CORS always exposes. */
const exposed =
  'Allow, Deprecation, ETag, Idempotent-Replayed, Link, Location, RateLimit-Limit, RateLimit-Policy, ' +
  'RateLimit-Remaining, RateLimit-Reset, Read-After, Retry-After, Sunset, WWW-Authenticate, ' +
  'X-GraphQL-Operation, X-Ignored-Parameters, X-Request-Id';

/** Request headers that a page may send: those that the gateway reads, and those of traces (W3C Trace Context, Baggage). */
const taken =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Read-After, ' +
  'X-GraphQL-Cost, X-Request-Id, baggage, traceparent, tracestate';
