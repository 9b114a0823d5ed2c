/** How much of what was written to a connection has reached its client. */
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';

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
