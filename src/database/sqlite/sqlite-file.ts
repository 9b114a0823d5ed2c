import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Modes of created folders and files: accessible only to the user who runs the gateway. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

const OTHERS = 0o007;

/**
 * Creates the SQLite file and its folder if they are missing, readable only by this user. SQLite gives its write-ahead
 * log the same permissions. Throws what `mkdir` throws.
 */
export function makeSqliteFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
  try {
    closeSync(openSync(path, 'wx', FILE_MODE));
  } catch {
    // The file exists; or it cannot be created, which SQLite reports when it opens it.
  }
}

/**
 * Removes the permissions of all other users from a file that everybody on the machine may access, as earlier versions
 * created it. A file opened only to a group stays so. Reports each change to `log`.
 */
export function closeToOthers(path: string, log: (message: string) => void): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    try {
      if ((statSync(file).mode & OTHERS) === 0) continue;
      chmodSync(file, FILE_MODE);
      log(`Everybody on this machine could read ${file}; now only this user can`);
    } catch {
      // The file does not exist, or belongs to another user, who decides about it.
    }
  }
}
