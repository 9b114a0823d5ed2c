import { mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { giveOwner } from './sqlite/sqlite-file.js';
import { openSqliteFile } from './sqlite/sqlite-library.js';

/** A folder for what is not whole yet. */
export type HeldFolder = ReturnType<typeof holdFolder>;

/**
 * Makes a folder beside what will be `path`, for this process only, and removes those that killed processes have left there. A
 * process that lives holds a lock of SQLite in its folder: the id of a process says nothing where containers share a disk. The
 * lock has its name only once it is held, so that nobody finds it free before. Throws what `mkdir` throws.
 */
export function holdFolder(path: string, how: 'restoring' | 'partial') {
  const parent = dirname(path);
  // Of any file: names often have a date.
  for (const name of readdirSync(parent)) {
    if (/\.(partial|restoring)-\w{6}$/.test(name)) removeLeft(join(parent, name));
  }
  const folder = mkdtempSync(join(parent, `${basename(path)}.${how}-`));
  giveOwner(folder, statSync(parent));
  const release = hold(folder);
  /** Removes it with all that is in it. */
  const leave = (): void => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // What was to be done is done, or has failed and says why. The next one removes it.
    }
    release();
  };
  return { folder, leave };
}

const lockIn = (folder: string): string => join(folder, '.lock');

/** Where SQLite cannot be loaded, which an export from PostgreSQL does not need, or the disk has no locks, nobody removes what is left. */
function hold(folder: string): () => void {
  const name = join(folder, '.free');
  try {
    const lock = openSqliteFile(name, { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    giveOwner(name, statSync(folder));
    renameSync(name, lockIn(folder));
    return () => lock.close();
  } catch {
    rmSync(name, { force: true });
    return () => undefined;
  }
}

function removeLeft(folder: string): void {
  try {
    const lock = openSqliteFile(lockIn(folder), { timeout: 0, fileMustExist: true });
    try {
      lock.exec('BEGIN EXCLUSIVE');
      rmSync(folder, { recursive: true, force: true });
    } finally {
      lock.close();
    }
  } catch {
    // Its process runs. Or it is not ours: another name that begins so, or a folder of another user.
  }
}
