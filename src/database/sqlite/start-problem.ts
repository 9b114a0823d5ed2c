import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { adapterErrorOf } from '../database-problem.js';
import { DatabaseStartError, databaseMessage } from '../database-start-error.js';
import { sqliteCode } from './sqlite-errors.js';

/** Why the file cannot be used; undefined for an error that has nothing to do with it. */
export function sqliteStartProblem(path: string, error: unknown): DatabaseStartError | undefined {
  const code = adapterErrorOf(error)?.cause.originalCode ?? sqliteCode(error);
  if (code === undefined) return undefined;
  // SQLite does not always say that a write failed because there was no room.
  const found = code.startsWith('SQLITE_IOERR') && isFull(dirname(path)) ? 'SQLITE_FULL' : code;
  const [, remedy] = Object.entries(explanations).find(([prefix]) => found.startsWith(prefix)) ?? [];
  const message = remedy ? `The database file ${path} ${remedy}` : `${path}: ${databaseMessage(error)} (${code}).`;
  return new DatabaseStartError(message, { cause: error });
}

/** Whether the disk has no room for a page and what belongs to it. */
function isFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < 64 * 1024;
}

const explanations = {
  SQLITE_READONLY: 'is read-only. Let this user write the file and its folder, or set DATABASE_URL to another file.',
  SQLITE_CANTOPEN: 'cannot be opened. Let this user read and write the file and its folder, or set DATABASE_URL.',
  SQLITE_PERM: 'cannot be opened. Let this user read and write the file and its folder, or set DATABASE_URL.',
  SQLITE_NOTADB:
    'is not an SQLite database. Set DATABASE_URL to another file, or restore a backup with `records restore --replace`.',
  SQLITE_CORRUPT: 'is damaged. Restore a backup.',
  SQLITE_FULL: 'cannot be written: the disk is full. Make room and start again.',
  SQLITE_BUSY: 'has been locked by another process for too long. End that process and start again.',
  SQLITE_IOERR: 'cannot be read or written (I/O error). Check the disk; a network file system cannot hold it.',
};
