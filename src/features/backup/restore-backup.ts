import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { writeProblem } from '../../common/write-problem.js';
import { type HeldFolder, holdFolder } from '../../database/held-folder.js';
import { isMarkedLost, isStillOpen, passMarkOn } from '../../database/sqlite/lost-mark.js';
import { sqliteCode } from '../../database/sqlite/sqlite-errors.js';
import { giveOwner, isFilled, makeFolder, requireFile, requireNoLog } from '../../database/sqlite/sqlite-file.js';
import { leaveLog, performIn } from '../../database/sqlite/whole-file.js';
import type { Feature } from '../../gateway/feature.js';
import { BackupError, readDigest, restoreCopy, sync } from './make-backup.js';

/**
 * Checks a backup and puts it at `given`, or where that link leads. It gets the owner and the permissions of the database
 * that it replaces; a new one is for the owner of its folder only. Each of the `features` may change it before. @throws BackupError if it is no backup, or if the
 * database there is in use or is not to be replaced; then nothing has changed. `replaced` is where the previous database is
 * now; undefined if there was none.
 */
export async function restoreBackup(
  name: string,
  given: string,
  { digest, replaces }: { digest: string | undefined; replaces: boolean },
  features: readonly Feature[],
) {
  const file = resolve(name);
  if (!existsSync(file)) throw new BackupError(`There is no file ${file}.`);
  const expected = digest ?? readDigest(file);
  if (expected === undefined) {
    throw new BackupError(`${file}.sha256 is missing, by which ${file} is verified. Bring it, or give its --digest.`);
  }
  const isThere = requireFile(given) !== undefined;
  if (!isThere) requireNoLog(given);
  const path = isThere ? realpathSync(given) : given;
  if (isThere && !replaces) {
    throw new BackupError(
      `There is a database at ${path}. --replace moves it aside; or set DATABASE_URL to another file.`,
    );
  }
  // What cannot be read is another file than what cannot be written.
  accessSync(file, constants.R_OK);
  let held: HeldFolder | undefined;
  try {
    makeFolder(dirname(path));
    held = holdFolder(path, 'restoring');
    const copy = join(held.folder, 'records.db');
    const verified = await restoreCopy(file, copy, expected, features);
    const like = statSync(isThere ? path : dirname(path));
    giveRights(copy, like);
    for (const { restored } of features) if (restored) await performIn(copy, await restored());
    await leaveLog(copy);
    if (isThere && !(await isLeft(path))) {
      throw new BackupError(
        `The database at ${path} is in use. Stop the gateway, wait for ten seconds if there is a ${path}-lost, and restore again.`,
      );
    }
    const replaced = isThere ? (asideOf(path) ?? newAside(path)) : undefined;
    try {
      if (replaced !== undefined) moveAside(path, replaced, join(held.folder, 'mark'));
      // Otherwise SQLite would read these files, left where there was no database, as part of the restored one.
      for (const ending of ['-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
      renameSync(copy, path);
    } catch (error) {
      throw replaced === undefined ? error : afterFailure(error, path, replaced, like);
    }
    passMarkOn(path, replaced);
    sync(dirname(path));
    return { path, replaced, ...verified };
  } catch (error) {
    const problem = writeProblem(path, error);
    throw problem === undefined ? error : new BackupError(problem);
  } finally {
    held?.leave();
  }
}

/** Those of a file; in a folder a new file is for its owner only. */
function giveRights(path: string, like: Stats): void {
  chmodSync(path, like.isFile() ? like.mode & 0o777 : 0o600);
  giveOwner(path, like);
}

const newAside = (path: string): string => `${path}.replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;

/**
 * Gives the old database a second name. It keeps its own until another file takes that: there is never none, of which a start
 * would make a new one. While its log is taken away, a text has its name, at which a start is refused.
 */
function moveAside(path: string, aside: string, mark: string): void {
  const hasLog = isFilled(`${path}-wal`);
  if (asideOf(path) === undefined) {
    for (const ending of hasLog ? ['', '-wal'] : ['']) linkOrCopy(`${path}${ending}`, `${aside}${ending}`);
  }
  if (!hasLog) return;
  writeFileSync(mark, `${marked}${aside}\nIf the restore was interrupted, restore again.\n`, { flush: true });
  giveRights(mark, statSync(path));
  renameSync(mark, path);
}

const marked = 'This database is being restored. What was there is now ';

/** Where a restore has moved the database that was here, if it was interrupted before the new one was in place. */
function asideOf(path: string): string | undefined {
  const [start = ''] = statSync(path).size < 10_000 ? readFileSync(path, 'utf8').split('\n') : [];
  return start.startsWith(marked) ? start.slice(marked.length) : undefined;
}

function linkOrCopy(path: string, second: string): void {
  try {
    linkSync(path, second);
  } catch {
    copyFileSync(path, second, constants.COPYFILE_EXCL); // The file system has no links.
    giveOwner(second, statSync(path));
    sync(second);
  }
}

/** What to throw. Where the old database still has its name, it keeps no other. */
function afterFailure(error: unknown, path: string, aside: string, { ino }: Stats): unknown {
  if (asideOf(path) === undefined) {
    if (statSync(path).ino === ino) for (const ending of ['', '-wal']) rmSync(`${aside}${ending}`, { force: true });
    return error;
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new BackupError(`The backup is not in place (${reason}), and what was there is now ${aside}. Restore again.`);
}

/**
 * Whether no other process has it open. One that is damaged, for which a backup is most needed, cannot be asked: a gateway that
 * still has it open notices that it is replaced, and writes nothing.
 */
async function isLeft(path: string): Promise<boolean> {
  // SQLite removes the log of an empty file, which may be all that is left.
  if (isMarkedLost(path)) return !isStillOpen(path);
  if (statSync(path).size === 0) return true;
  try {
    return await leaveLog(path);
  } catch (error) {
    if (/^SQLITE_(CORRUPT|NOTADB|IOERR_(READ|SHORT_READ))/.test(sqliteCode(error) ?? '')) return true;
    throw error;
  }
}
