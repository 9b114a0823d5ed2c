import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';

// Closes connections on which a client is still sending. To close such a connection at once makes the system send a
// reset, and a client that reads only after it has sent everything then never sees its answer. So the gateway closes its
// own side first, and throws away what still comes until the client has closed its side (RFC 9112, 9.6).

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

/** How much of what was written to a connection has reached its client. */
declare module 'net' {
  interface Socket {
    /** Node's own, of which it says nowhere else how much of a long chunk the system has taken. */
    readonly _handle: { readonly bytesWritten: number; readonly writeQueueSize: number; readonly fd?: number } | null;
  }
}

/**
 * How many bytes the system of the client has confirmed; undefined once the connection is closed. The system of this side keeps
 * megabytes on their way, and takes more only when a good part of them has gone: a client that reads 200 kB a second would seem to
 * read nothing for many seconds. Other systems than Linux do not say how much they keep, so there it counts as confirmed.
 */
export function takenOf({ _handle: handle }: Socket): number | undefined {
  if (!handle) return undefined;
  const written = handle.bytesWritten - handle.writeQueueSize;
  try {
    // Such as `socket:[4711]`.
    const inode = readlinkSync(`/proc/self/fd/${handle.fd}`).slice('socket:['.length, -1);
    return written - (unconfirmed().get(inode) ?? 0);
  } catch {
    return written;
  }
}

/** Milliseconds for which one look at the table of connections serves all that ask: it is as long as there are connections. */
const keptFor = 100;

let known: { at: number; bytes: Map<string, number> } | undefined;

/** The bytes that the system keeps for each connection, by the inode of its socket (proc_pid_net(5), `tx_queue`). */
function unconfirmed(): Map<string, number> {
  const at = performance.now();
  if (known && at - known.at < keptFor) return known.bytes;
  const bytes = new Map<string, number>();
  // There is no second table where IPv6 is turned off.
  for (const table of ['tcp', 'tcp6'].filter((name) => existsSync(`/proc/self/net/${name}`))) {
    for (const line of readFileSync(`/proc/self/net/${table}`, 'latin1').split('\n').slice(1)) {
      const [, , , , queues = '', , , , , inode = ''] = line.trim().split(/\s+/);
      const waiting = Number.parseInt(queues, 16);
      if (waiting > 0) bytes.set(inode, waiting);
    }
  }
  known = { at, bytes };
  return bytes;
}
