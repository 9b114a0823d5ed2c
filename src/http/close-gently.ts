/**
 * Closes connections on which a client is still sending. To close such a connection at once makes the system send a
 * reset, and a client that reads only after it has sent everything then never sees its answer. So the gateway closes its
 * own side first, and throws away what still comes until the client has closed its side (RFC 9112, 9.6).
 */
import type { Socket } from 'node:net';

/** Milliseconds between two chunks that are thrown away: at most about six megabytes per second. */
const discardEvery = 10;

const closing = new WeakSet<Socket>();

export const isClosing = (socket: Socket): boolean => closing.has(socket);

/**
 * Closes the connection after what was written to it, at most `longest` milliseconds later. Nothing that arrives is looked
 * at any more.
 */
export function closeGently(socket: Socket, longest: number): void {
  if (closing.has(socket)) return;
  closing.add(socket);
  discard(socket);
  socket.end(() => {
    const tooLong = setTimeout(() => socket.destroy(), longest).unref();
    socket.once('close', () => clearTimeout(tooLong));
  });
}

/** Reads the rest slowly and drops it, so that it does not slow down others: no body is completed, no request begins. */
export function discard(socket: Socket): void {
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
