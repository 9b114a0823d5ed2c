import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Of the folders that are made for the file, and of the file with its log: for nobody but this user. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

const OTHERS = 0o007;

/**
 * Makes the folder of the SQLite file at `path` where it is missing, and the file, so that nobody but this user reads
 * what is stored. SQLite gives its log the permissions of the file. Throws what `mkdir` throws.
 */
export function makeSqliteFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
  try {
    closeSync(openSync(path, 'wx', FILE_MODE));
  } catch {
    // It is there; or it cannot be made, and SQLite says why.
  }
}

/**
 * Takes a file that everybody on the machine may read, as earlier versions made it, from all but this user; a file that
 * was opened to a group alone stays so. `log` is told.
 */
export function closeToOthers(path: string, log: (message: string) => void): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    try {
      if ((statSync(file).mode & OTHERS) === 0) continue;
      chmodSync(file, FILE_MODE);
      log(`Everybody on this machine could read ${file}; now only this user can`);
    } catch {
      // It is not there, or belongs to another user, whose it is to decide.
    }
  }
}
