import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Linux keeps files in memory. */
const memory = '/dev/shm';
/** Bytes: twice as much as a whole run writes. */
const room = 4 * 1024 ** 3;

/**
 * A new temporary folder for a run: in memory if there is room, because a PostgreSQL database is a thousand files, and
 * a copy of one costs ten times as much on a disk. TMPDIR overrides this.
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

/** The folders of runs that were killed would occupy memory until the machine is restarted. */
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
