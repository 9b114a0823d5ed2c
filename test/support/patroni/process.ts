/** Programs of Debian that run as a user who may run PostgreSQL, which refuses root. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, readFileSync } from 'node:fs';

const isRoot = process.getuid?.() === 0;
const idOf = (flag: string): number => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim());

/** Lets the programs write to the folder. */
export function own(folder: string): void {
  if (isRoot) chownSync(folder, idOf('-u'), idOf('-g'));
}

export interface OwnProcess {
  pid: number;
  /** The end of what it wrote. */
  said(): string;
  isRunning(): boolean;
  /** Ends it at once. */
  kill(): Promise<void>;
}

const running = new Set<ChildProcess>();
// Also if the run is interrupted.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export async function startProcess(command: string, parameters: readonly string[]): Promise<OwnProcess> {
  const owner = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  const child = spawn(command, parameters, {
    ...owner,
    cwd: '/',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-10_000);
    });
  }
  await once(child, 'spawn');
  running.add(child);
  child.once('exit', () => running.delete(child));
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    pid: child.pid ?? 0,
    said: () => said,
    isRunning,
    kill: async () => {
      if (!isRunning()) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The process and all that it has started, and what these have started. */
export function familyOf(pid: number): number[] {
  const children = (each: number): number[] => {
    try {
      return readFileSync(`/proc/${each}/task/${each}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
    } catch {
      return []; // it has ended
    }
  };
  return [pid, ...children(pid).flatMap(familyOf)];
}

/** Sends the signal to those that still run. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // it has ended
    }
  }
}
