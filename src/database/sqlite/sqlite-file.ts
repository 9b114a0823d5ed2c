import {
  chmodSync,
  closeSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseStartError } from '../database-problem.js';

/** Modes of created folders and files: accessible only to the user who runs the gateway. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

const OTHERS = 0o007;

/** @throws DatabaseStartError for what no database can be in, and at which SQLite would wait for ever */
export function requireFile(path: string): Stats | undefined {
  const named = statsOf(path, lstatSync);
  if (!named) return undefined;
  const found = named.isSymbolicLink() ? statsOf(path, statSync) : named;
  const what = found ? kindOf(found) : 'a link to a file that is not there';
  if (what)
    throw new DatabaseStartError(`${path} is ${what}. Set DATABASE_URL to a file, or to where one can be made.`);
  return found;
}

/**
 * @throws DatabaseStartError also for a file whose log SQLite would not read: an empty one that was none, where it would begin a new
 * database, and a link to a file that was moved without its log
 */
export function requireUsable(path: string): void {
  const found = requireFile(path);
  if (!found) return requireNoLog(path);
  const file = realpathSync(path);
  if (found.size === 0 && isFilled(`${file}-wal`)) {
    throw new DatabaseStartError(
      `The database file ${path} is empty, but not its -wal: somebody has emptied it. Restore a backup with \`records restore --replace\`.`,
    );
  }
  const beside = `${resolve(path)}-wal`;
  if (lstatSync(path).isSymbolicLink() && beside !== `${file}-wal` && isFilled(beside)) {
    throw new DatabaseStartError(
      `${path} is a link to ${file}, but ${beside} holds what was written last. Stop the gateway that has it open, if there is one; then move the file back to where the link is, and start.`,
    );
  }
}

/**
 * @throws DatabaseStartError for a log whose database is not there: a gateway may have it open, and a new database in that place
 * would end what the log holds
 */
export function requireNoLog(path: string): void {
  if (!isFilled(`${path}-wal`)) return;
  throw new DatabaseStartError(
    `There is no database file ${path}, but ${path}-wal holds what was written last. If the file was moved, move it back; otherwise move the -wal away too. "A database file that is gone" in docs/operations.md says more.`,
  );
}

export const isFilled = (path: string): boolean => (statsOf(path, statSync)?.size ?? 0) > 0;

function statsOf(path: string, ask: (path: string) => Stats): Stats | undefined {
  try {
    return ask(path);
  } catch {
    return undefined; // It is not there, or is a link that leads nowhere or in a circle. What else is wrong, SQLite says.
  }
}

function kindOf(found: Stats): string | undefined {
  if (found.isFile()) return undefined;
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a named pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}

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
