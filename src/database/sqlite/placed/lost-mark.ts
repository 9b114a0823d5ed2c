import { existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseStartError } from '../../database-start-error.js';

/**
 * A file beside a database that was overwritten or replaced while a process had it open. Whoever opened what is there now would take
 * it for the right one, and SQLite would copy the log into it, which belongs to the file that was there before, and remove the
 * log. So nothing opens it any more, a start after a crash neither, until somebody has restored one.
 */
const markOf = (path: string): string => `${existsSync(path) ? realpathSync(path) : path}-lost`;

/** Returns the mark; undefined if there can be none. */
export function markLost(path: string): string | undefined {
  const mark = markOf(path);
  try {
    writeFileSync(mark, `${path} was overwritten or replaced while a gateway had it open. ${whatToDo}\n`, {
      flush: true,
    });
  } catch {
    // On a full disk it is there without its text, and another user may have made it. Where it cannot be, the process itself knows.
  }
  return existsSync(mark) ? mark : undefined;
}

/** @throws DatabaseStartError if it is marked */
export function requireNotLost(path: string): void {
  if (isMarkedLost(path)) throw lostError(path);
}

export const lostError = (path: string): DatabaseStartError =>
  new DatabaseStartError(
    `${path} was overwritten or replaced while a gateway had it open, so nothing opens it: its log may belong to the file that was ` +
      `there before. ${whatToDo} If the right files are there again, remove ${markOf(path)}.`,
  );

/** Milliseconds after which a mark that no process has made anew is left by one that has ended; it is made anew each second. */
const leftAfter = 10_000;

/** Whether the process that marked it still has it open, as far as can be seen. */
export const isStillOpen = (path: string): boolean =>
  isMarkedLost(path) && Date.now() - statSync(markOf(path)).mtimeMs < leftAfter;

export const isMarkedLost = (path: string): boolean => existsSync(markOf(path));

/** Where the database has got another name, the mark goes with it. */
export function unmarkLost(path: string, moved: string | undefined): void {
  if (isMarkedLost(path) && moved !== undefined) renameSync(markOf(path), markOf(moved));
  else rmSync(markOf(path), { force: true });
}

export const whatToDo = 'What to do says "A database file that is gone" in docs/operations.md.';
