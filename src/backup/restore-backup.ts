import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { performIn } from '../database/sqlite/perform-in.js';
import { sqliteCode } from '../database/sqlite/sqlite-errors.js';
import { giveOwner, isFilled, makeFolder, requireFile, requireNoLog } from '../database/sqlite/sqlite-file.js';
import { leaveLog } from '../database/sqlite/vacuum-into.js';
import { announceRestored } from '../webhooks/delivery/announce-restored.js';
import { type Procedure, rows } from '../work.js';
import { BackupError } from './backup-error.js';
import { restoreCopy, sync, type Verified, workedOn } from './copy.js';
import { readDigest } from './digest.js';

export interface Restored extends Verified {
  path: string;
  /** Where the previous database is now; undefined if there was none. */
  replaced: string | undefined;
}

/**
 * Checks a backup and puts it at `given`, or where that link leads. It gets the owner and the permissions of the database
 * that it replaces; a new one is for the owner of its folder only. @throws BackupError if it is no backup, or if the
 * database there is in use or is not to be replaced; then nothing has changed
 */
export async function restoreBackup(
  name: string,
  given: string,
  { digest, replaces }: { digest: string | undefined; replaces: boolean },
): Promise<Restored> {
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
  makeFolder(dirname(path));
  const copy = workedOn(path, 'restoring');
  try {
    const verified = await restoreCopy(file, copy, expected);
    chmodSync(copy, isThere ? statSync(path).mode & 0o777 : 0o600);
    giveOwner(copy, statSync(isThere ? path : dirname(path)));
    await performIn(copy, announce);
    await leaveLog(copy);
    const replaced = isThere ? await keepAside(path) : undefined;
    if (isThere && isFilled(`${path}-wal`)) {
      // While the log is taken away, a start finds no database, neither an old one without its log nor an empty one.
      writeFileSync(`${copy}-mark`, `This database is being restored. If that was interrupted, restore it again.\n`);
      renameSync(`${copy}-mark`, path);
    }
    // Otherwise SQLite would read these files, left where there was no database, as part of the restored one.
    for (const ending of ['-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
    renameSync(copy, path);
    sync(dirname(path));
    return { path, replaced, ...verified };
  } finally {
    for (const ending of ['', '-wal', '-shm', '-mark']) rmSync(`${copy}${ending}`, { force: true });
  }
}

/**
 * Tells receivers of webhooks that the changes sent to them since the backup are undone. Older backups have no
 * webhooks.
 */
function* announce(): Procedure<void> {
  const found = yield* rows(`SELECT 1 FROM sqlite_master WHERE "name" = 'WebhookDelivery'`, []);
  if (found.length > 0) yield* announceRestored('sqlite');
}

/** Gives the old database a second name. It keeps its own until another file takes that: there is never none, of which a start would make a new one. */
async function keepAside(path: string): Promise<string> {
  if (!(await isLeft(path))) {
    throw new BackupError(`The database at ${path} is in use. Stop the gateway, and restore again.`);
  }
  const aside = `${path}.replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  for (const ending of ['', '-wal']) {
    if (ending && !isFilled(`${path}${ending}`)) continue;
    try {
      linkSync(`${path}${ending}`, `${aside}${ending}`);
    } catch {
      copyFileSync(`${path}${ending}`, `${aside}${ending}`, constants.COPYFILE_EXCL); // The file system has no links.
      giveOwner(`${aside}${ending}`, statSync(path));
      sync(`${aside}${ending}`);
    }
  }
  return aside;
}

/**
 * Whether no other process has it open. One that is damaged, for which a backup is most needed, cannot be asked: a gateway that
 * still has it open notices that it is replaced, and writes nothing.
 */
async function isLeft(path: string): Promise<boolean> {
  // SQLite removes the log of an empty file, which may be all that is left.
  if (statSync(path).size === 0) return true;
  try {
    return await leaveLog(path);
  } catch (error) {
    if (/^SQLITE_(CORRUPT|NOTADB|IOERR_(READ|SHORT_READ))/.test(sqliteCode(error) ?? '')) return true;
    throw error;
  }
}
