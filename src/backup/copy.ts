import { closeSync, constants, copyFileSync, fsyncSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkDatabase } from '../check/check-database.js';
import { integrity } from '../check/integrity.js';
import { BackupError } from './backup-error.js';
import { digestOf } from './digest.js';

/** The result of checking a copy: the problems of its records, if any. The original has the same. */
export interface Verified {
  digest: string;
  problems: string[];
}

/**
 * Restores `file` as `copy`, a file that does not exist, and checks it. @throws BackupError if it has another digest than
 * `expected`, or is damaged
 */
export async function restoreCopy(file: string, copy: string, expected: string | undefined): Promise<Verified> {
  copyFileSync(file, copy, constants.COPYFILE_EXCL);
  sync(copy);
  const digest = await digestOf(copy);
  if (expected !== undefined && digest !== expected) {
    throw new BackupError(
      `${file} has changed since it was made: its digest is ${digest}, and not ${expected}. Take another backup.`,
    );
  }
  // A database that lacks migrations is still a backup: one from before an upgrade.
  const [, ...results] = await checkDatabase(pathToFileURL(copy).href);
  const damage = results.find(({ holds }) => holds === integrity.holds)?.problems ?? [];
  if (damage.length > 0) throw new BackupError(`${file} is damaged: ${damage.join('; ')}. Take another backup.`);
  return { digest, problems: results.flatMap(({ problems }) => problems) };
}

/** Restores `file` into a folder beside it, which it makes, and checks it there. */
export async function verify(file: string): Promise<Verified> {
  const folder = `${file}.verified`;
  mkdirSync(folder, { mode: 0o700 });
  try {
    return await restoreCopy(file, join(folder, 'records.db'), undefined);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where this process works on what will be `path`. Removes what processes that were killed have left there. */
export function workedOn(path: string, how: 'restoring' | 'partial'): string {
  const folder = dirname(path);
  const beginning = `${basename(path)}.${how}-`;
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(beginning) ? Number.parseInt(name.slice(beginning.length), 10) : undefined;
    if (pid && !isOther(pid)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  return join(folder, `${beginning}${process.pid}`);
}

/** Whether another process with this id runs. In a container, one after another may have the same. */
function isOther(pid: number): boolean {
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Resolves when the file, or the names in a folder, are on disk. */
export function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
