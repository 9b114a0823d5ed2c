import { existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseStartError } from '../../database-problem.js';

/**
 * A file beside a database that was overwritten, or of which one file was replaced or removed, while a process had it open. Whoever
 * opened what is there now would take it for the right one, and SQLite would mix its file with the log of another one, and remove
 * the log. So nothing opens it any more, a start after a crash neither, until somebody has seen to it.
 */
const markBeside = (file: string): string => `${file}-lost`;

/** By any name of the file, also one that leads to nothing. */
const markOf = (path: string): string => markBeside(existsSync(path) ? realpathSync(path) : path);

/** `file` is no link. Returns whether it is marked now; it never throws. */
export function markLost(file: string): boolean {
  const mark = markBeside(file);
  try {
    writeFileSync(mark, `${happened(file)}. ${whatToDo}\n`, { flush: true });
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
    `${happened(path)}, so nothing opens it: SQLite would mix files that do not belong together. ${whatToDo} ` +
      `If the right files are there again, remove ${markOf(path)}.`,
  );

const happened = (path: string): string =>
  `${path} was overwritten, or it, its -wal or its -shm was replaced or removed, while a gateway had it open`;

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
