/**
 * What Node would answer by itself, without our headers, a request id or a line in the log: what it cannot read as a
 * request, or waits for in vain. It is given to the listener as a request that is to be refused, with the reason.
 */
import { IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errors } from '../../model/errors/errors.js';
import type { GatewayError } from '../../model/errors/gateway-error.js';
import { takenOf } from './answer/send.js';

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

/** What is to be told of each response of a server. */
interface Answering {
  begun(request: IncomingMessage, response: ServerResponse): void;
  closed(response: ServerResponse): void;
}

/** Has `app` answer these. */
export function answerBrokenRequests(server: Server, app: RequestListener, longest: number): Answering {
  const latest = new WeakMap<Socket, ServerResponse>();

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

  return {
    begun: ({ socket }, response) => void latest.set(socket, response),
    // An idle connection keeps nothing of its last answer, which may have been large.
    closed: (response) => {
      const { complete, socket } = response.req;
      if (complete && latest.get(socket) === response) latest.delete(socket);
    },
  };
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

/**
 * Closes connections on which a client is still sending. To close such a connection at once makes the system send a
 * reset, and a client that reads only after it has sent everything then never sees its answer. So the gateway closes its
 * own side first, and throws away what still comes until the client has closed its side (RFC 9112, 9.6).
 */

/** Milliseconds between two chunks that are thrown away: at most about six megabytes per second. */
const discardEvery = 10;

const closing = new WeakSet<Socket>();
/** Those that are looked at now and then. */
const limited = new WeakSet<Socket>();

/** Closes the connection after what was written to it; see `limitTaking`. Nothing that arrives is looked at any more. */
export function closeGently(socket: Socket, longest: number): void {
  if (closing.has(socket) || socket.destroyed) return;
  closing.add(socket);
  discard(socket);
  socket.end();
  limitTaking(socket, longest);
}

/** How often a connection is looked at within its limit. */
const looks = 4;

/**
 * Closes a connection at once when its client has taken nothing for `longest` milliseconds, as long as something waits for
 * it or the connection is being closed. Only what the client takes counts: one that sends a byte now and then would
 * otherwise keep its answer in memory for ever, as Node's own timeout of a socket begins anew with each byte that arrives.
 */
export function limitTaking(socket: Socket, longest: number): void {
  if (limited.has(socket)) return;
  limited.add(socket);
  let last: number | undefined;
  let unchanged = 0;
  const check = setInterval(() => {
    const taken = takenOf(socket);
    unchanged = taken === last ? unchanged + 1 : 0;
    last = taken;
    if (taken !== undefined && unchanged >= looks - 1) socket.destroy();
    if (!socket.destroyed && (socket.writableLength > 0 || closing.has(socket))) return;
    clearInterval(check);
    limited.delete(socket);
  }, longest / looks).unref();
}

/** Reads the rest slowly and drops it, so that it does not slow down others: no body is completed, no request begins. */
function discard(socket: Socket): void {
  // Without these the parser gets nothing.
  socket.removeAllListeners('data');
  socket.on('data', () => {
    socket.pause();
    setTimeout(() => socket.resume(), discardEvery).unref();
  });
  // Where nobody read the body, Node has stopped to read from the system, and left it to its parser to begin again.
  socket.resume();
  socket._read(0);
}
