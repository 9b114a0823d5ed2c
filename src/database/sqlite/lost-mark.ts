import { existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseStartError } from '../database-problem.js';
import { sqliteError } from './sqlite-errors.js';

/**
 * A file beside a database that was overwritten, or of which one file was replaced or removed, while a process had it open. Whoever
 * opened what is there now would take it for the right one, and SQLite would mix its file with the log of another one, and remove
 * the log. So nothing opens it any more, a start after a crash neither, until somebody has seen to it.
 */
const markBeside = (file: string): string => `${file}-lost`;

/** By any name of the file, also one that leads to nothing. */
const markOf = (path: string): string => markBeside(existsSync(path) ? realpathSync(path) : path);

/** `file` is no link. Returns whether it is marked now; it never throws. */
export function markLost(file: string, says = ''): boolean {
  const mark = markBeside(file);
  try {
    writeFileSync(mark, `${happened(file)}. ${says}${whatToDo}\n`, { flush: true });
  } catch {
    // On a full disk it is there without its text, and another user may have made it. Where it cannot be, the process itself knows.
  }
  return existsSync(mark);
}

/** Returns whether it is marked still, because this process may not remove it; it never throws. */
export function unmarkLost(file: string): boolean {
  const mark = markBeside(file);
  try {
    rmSync(mark, { force: true });
  } catch {
    // It is tried again.
  }
  return existsSync(mark);
}

/** @throws DatabaseStartError if it is marked */
export function requireNotLost(path: string): void {
  if (isMarkedLost(path)) throw lostError(path);
}

export const lostError = (path: string): DatabaseStartError =>
  new DatabaseStartError(
    existsSync(path)
      ? `${happened(path)}, so nothing opens it: SQLite would mix files that do not belong together. ${whatToDo} ` +
          `If the right files are there again, remove ${markOf(path)}.`
      : `${happened(path)}, so no new one is made in its place. ${whatToDo} Put the files back; or remove ${markOf(path)} to begin anew.`,
  );

const happened = (path: string): string =>
  `${path} was overwritten, removed or moved, or its -wal or its -shm was replaced or removed, while a gateway had it open`;

/** What is said of files of which others may still write into the log that nobody finds. */
export const isShared =
  'When the gateway ended, everything that it had acknowledged was in the file, but another process still had it open: end that, and remove this mark. ';

/** What to say at the end of a gateway that leaves its database lost; undefined if it does not. */
export function lossLeft(path: string): string | undefined {
  if (isMarkedLost(path))
    return `The database is left as it is, and nothing opens it. ${markOf(path)} says what is known. ${whatToDo}`;
  return existsSync(path) ? undefined : `The database file ${path} is gone. ${whatToDo}`;
}

/** Milliseconds after which a mark that no process has made anew is left by one that has ended; it is made anew each second. */
const leftAfter = 10_000;

/** Whether the process that marked it still has it open, as far as can be seen. */
export const isStillOpen = (path: string): boolean =>
  isMarkedLost(path) && Math.abs(Date.now() - statSync(markOf(path)).mtimeMs) < leftAfter;

export const isMarkedLost = (path: string): boolean => existsSync(markOf(path));

/** When a restored database has taken the place of a marked one: the mark goes with that, to the name that it has now. */
export function passMarkOn(path: string, moved: string | undefined): void {
  if (!isMarkedLost(path)) return;
  if (moved === undefined) rmSync(markOf(path));
  else renameSync(markOf(path), markOf(moved));
}

export const whatToDo = 'What to do says "A database file that is gone" in docs/operations.md.';

// With SQLite's own code for a file that was moved, which it finds out only without a write-ahead log, or one of ours.
export const movedError = (path: string) =>
  sqliteError(
    'SQLITE_READONLY_DBMOVED',
    `${path}, its -wal or its -shm was removed, moved or replaced, or may not be looked at any more, while this process has it open, so nothing is written. ` +
      'What was acknowledged is only in this process: before you end it, read "A database file that is gone" in docs/operations.md',
  );

export const overwrittenError = (path: string) =>
  sqliteError(
    'SQLITE_CORRUPT_OVERWRITTEN',
    `${path} or its -wal was truncated or overwritten by another program while this process has it open, so nothing is read ` +
      'or written. Stop the gateway and restore a backup: "A database file that is gone" in docs/operations.md',
  );
