/** Memory of gateways, with the processes they have started. */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Megabytes of memory a process holds. */
export function residentMegabytes({ pid }: Pick<ChildProcess, 'pid'>): number {
  // Linux has it in a file; `ps` would be a new process each time.
  const kilobytes = existsSync('/proc/self/status')
    ? residentKilobytes(pid ?? 0)
    : Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]));
  return kilobytes / 1024;
}

/** Megabytes that a process and its children may use together, as in a container; beyond that they are killed. */
const killAtMegabytes = 1024;
const intervalMillis = 50;

/** Watches a process and its children until it is stopped, and kills them at a gigabyte. */
export class MemoryWatch {
  /** The most memory that was measured, in megabytes. */
  peak = 0;
  /** Whether the process was killed, because it used too much. */
  hasKilled = false;
  readonly #timer: NodeJS.Timeout;

  constructor(readonly child: ChildProcess) {
    this.#timer = setInterval(() => this.#measure(), intervalMillis);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#measure();
  }

  #measure(): void {
    this.peak = Math.max(this.peak, treeMegabytes(this.child.pid ?? 0));
    if (this.peak < killAtMegabytes || this.hasKilled) return;
    this.hasKilled = true;
    this.child.kill('SIGKILL');
  }
}

/** The memory of a process and its descendants, or the peak of the process itself if that is more. */
function treeMegabytes(pid: number): number {
  const status = read(`/proc/${pid}/status`);
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
  const below = read(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean);
  const others = below.reduce((sum, child) => sum + residentKilobytes(Number(child)), 0);
  return Math.max(kilobytes('VmRSS') + others, kilobytes('VmHWM')) / 1024;
}

function residentKilobytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
}

/** Empty once the process has gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
