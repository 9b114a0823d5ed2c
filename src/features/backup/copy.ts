import { closeSync, constants, copyFileSync, fsyncSync, openSync } from 'node:fs';
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

/** Resolves when the file, or the names in a folder, are on disk. */
export function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
