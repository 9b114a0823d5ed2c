/** Which process is at the other end of a connection, by the port that it has at its client. */

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { runningProcesses } from './running-processes.js';

export interface Connection {
  /** Undefined until it is made. */
  port?: number;
  /** When it was asked for, by the clock of `performance.now`. */
  since: number;
}

const connections = new WeakMap<object, Connection>();

/** The connection that a request uses; nothing is known of it before the request has one. */
export function connectionOf(request: ClientRequest): () => Connection | undefined {
  request.once('socket', (socket) => {
    if (connections.has(socket)) return;
    const connection: Connection = { since: performance.now() };
    connections.set(socket, connection);
    // It may have been accepted, and its process killed, before this process notices that it is made: `since` stays.
    const isMade = () => Object.assign(connection, { port: socket.localPort });
    if (socket.connecting) socket.once('connect', isMade);
    else isMade();
  });
  return () => (request.socket ? connections.get(request.socket) : undefined);
}

/** A request that broke off, with its connection. */
export class BrokenOff extends Error {
  constructor(
    readonly connection: Connection | undefined,
    cause: unknown,
  ) {
    super(String(cause), { cause });
  }
}

/** A process that was killed, and the connections that it had accepted. */
export interface Kill {
  at: number;
  ports: ReadonlySet<number>;
}

/** Kills a process. It is stopped first, so that it accepts no more connections than are counted. */
export async function killWithConnections(pid: number): Promise<Kill> {
  process.kill(pid, 'SIGSTOP');
  while (runningProcesses().some((each) => each.pid === pid && !each.isStopped)) await sleep(1);
  const ports = acceptedBy(pid);
  const at = performance.now();
  process.kill(pid, 'SIGKILL');
  return { at, ports };
}

/** Whether the other end of a connection was one of the killed processes. */
export const wasKilled = (connection: Connection | undefined, kills: readonly Kill[]): boolean =>
  connection?.port !== undefined &&
  kills.some(({ at, ports }) => connection.since < at && ports.has(connection.port ?? 0));

/** The ports at the other ends of the TCP connections of a process. */
export const acceptedBy = (pid: number): Set<number> =>
  existsSync('/proc/self/net/tcp') ? fromProc(pid) : fromLsof(pid);

function fromProc(pid: number): Set<number> {
  const inodes = readdirSync(`/proc/${pid}/fd`).map(
    (name) => /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${name}`))?.[1],
  );
  const own = new Set(inodes);
  const rows = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/${pid}/net/${name}`, 'utf8').split('\n').slice(1));
  const ports = rows.flatMap((row) => {
    const [, , remote = '', , , , , , , inode = ''] = row.trim().split(/\s+/);
    return own.has(inode) ? [Number.parseInt(remote.split(':')[1] ?? '', 16)] : [];
  });
  return new Set(ports);
}

function fromLsof(pid: number): Set<number> {
  const lines = execFileSync('lsof', ['-nP', '-a', '-p', String(pid), '-iTCP', '-sTCP:ESTABLISHED', '-Fn']).toString();
  return new Set([...lines.matchAll(/->.*:(\d+)$/gm)].map(([, port]) => Number(port)));
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // It was closed meanwhile.
  }
}
