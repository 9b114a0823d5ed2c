/** Which processor does what: what is measured has one to itself, and what measures has another. */
import { execFileSync, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

export type Role = 'server' | 'load';

/** Whether processes can be held on processors here. */
export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0;

/** `command`, held on the processor of its role where that can be done. */
export function pinned(role: Role, command: readonly string[]): string[] {
  return canPin ? ['taskset', '-c', processors[role], ...command] : [...command];
}

/** Holds a running process there, and what it starts from now on. */
export function pin(role: Role, pid: number): void {
  if (canPin) execFileSync('taskset', ['-acp', processors[role], String(pid)], { stdio: 'ignore' });
}

/** Lets a running process, and what it starts from now on, have every processor. */
export function release(pid: number): void {
  if (canPin) execFileSync('taskset', ['-acp', `0-${availableParallelism() - 1}`, String(pid)], { stdio: 'ignore' });
}

const processors: Record<Role, string> = { server: '0', load: '1' };
