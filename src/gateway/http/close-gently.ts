/**
 * Closes connections on which a client is still sending. To close such a connection at once makes the system send a
 * reset, and a client that reads only after it has sent everything then never sees its answer. So the gateway closes its
 * own side first, and throws away what still comes until the client has closed its side (RFC 9112, 9.6).
 */
import type { Socket } from 'node:net';
import { takenOf } from './answer/taken.js';

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
