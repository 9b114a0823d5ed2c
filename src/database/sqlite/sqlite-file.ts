import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { mayUse } from '../../common/read-text-file.js';
import { DatabaseStartError } from '../database-problem.js';
import { requireNotLost } from './lost-mark.js';

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

/**
 * SQLite finds the log beside the name by which a file is opened: two processes that open one file by two names in two places
 * lose each other's writes without an error.
 * @throws DatabaseStartError if the file has further names, or is mounted without its folder
 */
export function requireOneName(path: string): void {
  const file = realpathSync(path);
  const { nlink, ino } = statSync(file);
  if (nlink > 1 && nlink > 1 + asides(file, ino)) {
    throw new DatabaseStartError(
      `The database file ${path} has ${nlink} names (hard links). Programs that open it by different ones lose each other's writes. ` +
        `Give it a file of its own, while nothing has it open: \`cp -p '${path}' '${path}.own' && mv '${path}.own' '${path}'\`.`,
    );
  }
  if (isMounted(file)) {
    throw new DatabaseStartError(
      `The database file ${path} is mounted by itself, without its folder, so that its log is left outside. Mount the folder.`,
    );
  }
}

/** The names that a restore has given the old database, if it was interrupted. */
const asides = (file: string, ino: number): number =>
  readdirSync(dirname(file)).filter(
    (name) =>
      name.startsWith(`${basename(file)}.replaced-`) &&
      statSync(join(dirname(file), name), { throwIfNoEntry: false })?.ino === ino,
  ).length;

/** On Linux; elsewhere there are no such mounts. */
function isMounted(file: string): boolean {
  try {
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    return mounts.some((line) => unescaped(line.split(' ')[4]) === file);
  } catch {
    return false;
  }
}

const unescaped = (name = ''): string =>
  name.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));

const copies = new Map<string, string>();

/**
 * Where to read the database at `path`, for who only reads. SQLite makes a log and its index to read; where they are not there and
 * this user cannot make them, on a read-only disk for example, no process writes, and a copy is read, until this process ends.
 */
export function readableFile(path: string): string {
  requireNotLost(path);
  if (!existsSync(path)) return path;
  const file = realpathSync(path);
  const endings = ['-wal', '-shm'].filter((ending) => existsSync(`${file}${ending}`));
  if (endings.length === 2 || mayUse(dirname(file), constants.W_OK)) return path;
  const made = copies.get(file) ?? join(mkdtempSync(join(tmpdir(), 'records-')), 'records.db');
  if (copies.has(file)) return made;
  process.once('exit', () => rmSync(dirname(made), { recursive: true, force: true }));
  for (const ending of ['', '-wal']) {
    if (existsSync(`${file}${ending}`)) copyFileSync(`${file}${ending}`, `${made}${ending}`);
  }
  copies.set(file, made);
  return made;
}
