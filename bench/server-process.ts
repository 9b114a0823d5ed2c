/** A server under measurement: a process pinned to the servers' processor. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../test/support/postgresql.js';
import { pinned } from './processors.js';

/** The API key of every system in the bench. */
export const benchKey = 'a-key-that-opens-every-system-of-the-bench';

export interface ServerProcess {
  pid: number;
  port: number;
  /** Milliseconds from its start until it accepted connections. */
  startMillis: number;
  child: ChildProcess;
  /** Stops the server; resolves when it has ended. */
  stop(): Promise<void>;
}

export interface Launch {
  /** The program and its arguments. */
  command: readonly string[];
  databaseUrl: string;
  env?: Record<string, string>;
  /** Milliseconds to wait for a server to listen. */
  patience?: number;
}

/** Starts a server and waits until it accepts connections. @throws with its error output if it ends instead */
export async function startServer({
  command,
  databaseUrl,
  env = {},
  patience = 60_000,
}: Launch): Promise<ServerProcess> {
  const port = await freePort();
  const [program = '', ...args] = pinned('server', command);
  const begun = performance.now();
  const child = spawn(program, args, {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      API_KEY: benchKey,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  running.add(child);
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-4000);
  });
  const ended = once(child, 'close').then(() => void running.delete(child));
  while (!(await takesConnections(port))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${command.join(' ')} ended:\n${words}`);
    if (performance.now() - begun > patience) throw new Error(`${command.join(' ')} does not listen:\n${words}`);
    await sleep(2);
  }
  return {
    pid: child.pid ?? 0,
    port,
    startMillis: performance.now() - begun,
    child,
    stop: async () => {
      child.kill('SIGTERM');
      const lastResort = setTimeout(() => child.kill('SIGKILL'), 12_000);
      await ended;
      clearTimeout(lastResort);
    },
  };
}

/** Kills every server that is still running. */
export function killServers(): void {
  for (const child of running) child.kill('SIGKILL');
}

const running = new Set<ChildProcess>();

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
