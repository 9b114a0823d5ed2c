import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Linux keeps files in memory. */
const memory = '/dev/shm';
/** Bytes: twice of what a whole run writes. */
const room = 4 * 1024 ** 3;

/**
 * A new folder for what goes when the run ends: in memory where that has room, because a PostgreSQL database is a
 * thousand files, and a copy of one costs ten times as much on a disk. TMPDIR says otherwise.
 */
export function scratchFolder(): string {
  if (process.env.TMPDIR || !hasRoom()) return mkdtempSync(join(tmpdir(), 'gateway-test-'));
  removeAbandoned();
  return mkdtempSync(join(memory, `gateway-test-${process.pid}-`));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > room;
  } catch {
    return false;
  }
}

/** What runs that were killed have left would hold memory until the machine is started anew. */
function removeAbandoned(): void {
  for (const name of readdirSync(memory)) {
    const owner = /^gateway-test-(\d+)-/.exec(name)?.[1];
    if (owner && !isRunning(Number(owner))) rmSync(join(memory, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
