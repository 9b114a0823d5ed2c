/**
 * Closes connections on which a client is still sending. To close such a connection at once makes the system send a
 * reset, and a client that reads only after it has sent everything then never sees its answer. So the gateway closes its
 * own side first, and throws away what still comes until the client has closed its side (RFC 9112, 9.6).
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** Milliseconds between two chunks that are thrown away: at most about six megabytes per second. */
const discardEvery = 10;

const closing = new WeakSet<Socket>();

/**
 * Closes the connection after what was written to it, at most `longest` milliseconds later. Nothing that arrives is looked
 * at any more.
 */
export function closeGently(socket: Socket, longest: number): void {
  if (closing.has(socket)) return;
  closing.add(socket);
  // Without these the parser gets nothing, so that no body is completed and no request begins.
  socket.removeAllListeners('data');
  discard(socket);
  socket.end(() => {
    const tooLong = setTimeout(() => socket.destroy(), longest).unref();
    socket.once('close', () => clearTimeout(tooLong));
  });
}

/** Reads the rest slowly and drops it, so that it does not slow down others. */
export function discard(rest: Readable): void {
  rest.on('data', () => {
    rest.pause();
    setTimeout(() => rest.resume(), discardEvery).unref();
  });
}

/**
 * Answers what Node cannot read as a request, or waits for in vain, as Node does, but closes the connection gently. The
 * result is to be called with each request and its response.
 */
export function answerBrokenRequests(
  server: Server,
  longest: number,
): (request: IncomingMessage, response: ServerResponse) => void {
  const answering = new WeakMap<Socket, ServerResponse>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (socket.destroyed || !socket.writable) return void (closing.has(socket) || socket.destroy());
    const response = answering.get(socket);
    // Not so if the request before it was answered and read: then it is the next one that is broken.
    const isAnswered = response?.headersSent && !(response.writableFinished && response.req.complete);
    if (!isAnswered) socket.write(`HTTP/1.1 ${statusOf(error)}\r\nConnection: close\r\n\r\n`);
    closeGently(socket, longest);
  });
  return ({ socket }, response) => void answering.set(socket, response);
}

function statusOf({ code }: NodeJS.ErrnoException): string {
  if (code === 'HPE_HEADER_OVERFLOW') return '431 Request Header Fields Too Large';
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return '413 Payload Too Large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
}
