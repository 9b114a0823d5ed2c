import { isDriverAdapterError } from '@prisma/driver-adapter-utils';
import type { Procedure } from '../../common/work.js';
import { SqliteConnection } from './sqlite-connection.js';
import { retryWhileBusy } from './sqlite-errors.js';
import { readableFile } from './sqlite-file.js';

/** Milliseconds to wait while another process recovers the write-ahead log. */
const PATIENCE = 10_000;

/**
 * Writes the database to the empty file `target`, as it is at one moment. Writers go on meanwhile, in this and in other
 * processes. The online backup of SQLite would begin anew with each write of another process, and copy pages as they
 * are; this reads every row, so it fails on a table that is damaged, and leaves out what was deleted.
 */
export async function vacuumInto(path: string, target: string): Promise<void> {
  const connection = new SqliteConnection(readableFile(path), { readonly: true });
  try {
    await retryWhileBusy(() => connection.script(`VACUUM INTO '${target.replaceAll("'", "''")}'`), PATIENCE);
  } finally {
    connection.close();
  }
}

/**
 * Leaves the write-ahead log, so that the file at `path` is the whole database. Returns false if another process has it
 * open.
 */
export async function leaveLog(path: string): Promise<boolean> {
  const connection = new SqliteConnection(path);
  try {
    await retryWhileBusy(() => connection.script('PRAGMA journal_mode = DELETE'), 1_000);
    return true;
  } catch (error) {
    if (isDriverAdapterError(error)) return false;
    throw error;
  } finally {
    connection.close();
  }
}

/** Runs a unit of work on a file that no other process uses, in its own transaction. */
export async function performIn<Result>(path: string, begin: () => Procedure<Result>): Promise<Result> {
  const connection = new SqliteConnection(path);
  try {
    connection.control('BEGIN IMMEDIATE');
    const result = await connection.perform(begin());
    connection.control('COMMIT');
    return result;
  } finally {
    connection.close();
  }
}
