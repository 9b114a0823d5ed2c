/** Assigns processors: the measured servers have one to themselves, the load has another. */
import { execFileSync, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

export type Role = 'server' | 'load';

/** Whether processes can be pinned to processors here. */
export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0;

/** `command`, pinned to the processor of its role if possible. */
export function pinned(role: Role, command: readonly string[]): string[] {
  return canPin ? ['taskset', '-c', processors[role], ...command] : [...command];
}

/** Pins a running process and its future children. */
export function pin(role: Role, pid: number): void {
  if (canPin) execFileSync('taskset', ['-acp', processors[role], String(pid)], { stdio: 'ignore' });
}

/** Lets a running process and its future children use all processors. */
export function release(pid: number): void {
  if (canPin) execFileSync('taskset', ['-acp', `0-${availableParallelism() - 1}`, String(pid)], { stdio: 'ignore' });
}

const processors: Record<Role, string> = { server: '0', load: '1' };
