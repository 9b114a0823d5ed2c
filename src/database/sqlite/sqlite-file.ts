import { chmodSync, closeSync, lchownSync, mkdirSync, openSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Modes of created folders and files: accessible only to the user who runs the gateway. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

const OTHERS = 0o007;

/**
 * Creates the SQLite file and its folder if they are missing, readable only by their owner. SQLite gives its write-ahead
 * log the same permissions and the same owner. Throws what `mkdir` throws.
 */
export function makeSqliteFile(path: string): void {
  makeFolder(dirname(path));
  try {
    closeSync(openSync(path, 'wx', FILE_MODE));
    giveOwner(path, statSync(dirname(path)));
  } catch {
    // The file exists; or it cannot be created, which SQLite reports when it opens it.
  }
}

/** Creates a folder and those above it that are missing. They belong to the owner of the folder that they are made in. */
export function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  if (first === undefined) return;
  const owner = statSync(dirname(first));
  for (let made = folder; made.startsWith(first); made = dirname(made)) giveOwner(made, owner);
}

/**
 * Gives a file to the user and the group of `owner`, where that is allowed: root often runs commands beside a service of another
 * user, which has to open what they leave. A link is not followed, because the folder may belong to somebody whom root must
 * not obey.
 */
export function giveOwner(path: string, { uid, gid }: Pick<Stats, 'uid' | 'gid'>): void {
  try {
    lchownSync(path, uid, gid);
  } catch {
    // Only root may give a file away. It stays with its user.
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
