import { existsSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
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
    return mark;
  } catch {
    return undefined; // A full disk or a folder that may not be written: the process itself knows.
  }
}

/** @throws DatabaseStartError if it is marked */
export function requireNotLost(path: string): void {
  if (!isMarkedLost(path)) return;
  throw new DatabaseStartError(
    `${path} was overwritten or replaced while a gateway had it open, so nothing opens it: its log may belong to the file that was ` +
      `there before. ${whatToDo} If the right files are there again, remove ${markOf(path)}.`,
  );
}

export const isMarkedLost = (path: string): boolean => existsSync(markOf(path));

export const unmarkLost = (path: string): void => rmSync(markOf(path), { force: true });

export const whatToDo = 'What to do says "A database file that is gone" in docs/operations.md.';
