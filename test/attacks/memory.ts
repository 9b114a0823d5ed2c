import type { ChildProcess } from 'node:child_process';
import { execFileSync } from 'node:child_process';

/** Megabytes of memory a process holds. */
export function residentMegabytes({ pid }: Pick<ChildProcess, 'pid'>): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) / 1024;
}
