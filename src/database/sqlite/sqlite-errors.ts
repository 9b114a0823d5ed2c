import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DriverAdapterError, type MappedError } from '@prisma/driver-adapter-utils';
import { adapterErrorOf, DatabaseStartError, databaseMessage, databaseProblem } from '../database-problem.js';

/**
 * Converts an error of better-sqlite3 to the error that Prisma expects of an adapter. `cause.originalCode` keeps
 * SQLite's own code (`SQLITE_FULL`, `SQLITE_BUSY_SNAPSHOT` …), which `databaseProblem` uses.
 */
export function toAdapterError(error: unknown): DriverAdapterError {
  if (error instanceof DriverAdapterError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code =
    sqliteCode(error) ?? (message === 'The database connection is not open' ? 'SQLITE_MISUSE' : 'SQLITE_ERROR');
  return new DriverAdapterError({ originalCode: code, originalMessage: message, ...mapped(code, message) });
}

/** The same for an error thrown by a unit of work; an error of another origin is returned unchanged. */
export function toErrorOfWork(error: unknown): Error {
  return error instanceof Error && sqliteCode(error) === undefined ? error : toAdapterError(error);
}

/** Whether another process or a checkpoint holds the lock, so that the same statement may succeed in a moment. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error)?.startsWith('SQLITE_BUSY') ?? false;
}

/** Whether SQLite has met a damaged page: then it refuses whatever else the transaction writes, and its commit. */
export function isDamage(error: unknown): boolean {
  return databaseProblem(error) === 'damaged';
}

/** The lock was not released in time; the caller gets Prisma's P1008. */
export const busyError = (waitedMilliseconds: number): DriverAdapterError =>
  refused(
    'SQLITE_BUSY',
    'SocketTimeout',
    `The database was busy for ${Math.round(waitedMilliseconds)} ms; nothing was written`,
  );

/** A read has waited too long for its turn among those that may take long; the caller gets Prisma's P1008. */
export const waitedError = (milliseconds: number): DriverAdapterError =>
  refused('SQLITE_BUSY', 'SocketTimeout', `The read has waited ${milliseconds / 1000} s for a reader process`);

/** The database was closed on purpose; the caller gets Prisma's P1017. */
export const closedError = (): DriverAdapterError =>
  refused('SQLITE_MISUSE', 'ConnectionClosed', 'The database is closed');

const refused = (originalCode: string, kind: 'SocketTimeout' | 'ConnectionClosed', originalMessage: string) =>
  new DriverAdapterError({ originalCode, originalMessage, kind });

/** A read was stopped because the time of its request was over; `databaseProblem` maps it to `timeout`. */
export const stoppedError = (): DriverAdapterError =>
  sqliteError('SQLITE_INTERRUPT', 'The read was stopped: the time of its request was over');

/** A reader process ended unexpectedly or could not be started; the next read gets another process. */
export const readerDied = (reason: string): DriverAdapterError =>
  sqliteError('SQLITE_IOERR', `A reader process ended ${reason}`);

/** As SQLite itself would report it, with its code (https://www.sqlite.org/rescode.html). Nobody reads the number. */
export const sqliteError = (originalCode: string, message: string): DriverAdapterError =>
  new DriverAdapterError({ originalCode, originalMessage: message, kind: 'sqlite', extendedCode: 1, message });

/** The error that a reader process sent back, converted as if it had been thrown here. */
export const readError = ({ message, code }: { message: string; code: string | undefined }): DriverAdapterError =>
  toAdapterError(Object.assign(new Error(message), code === undefined ? {} : { code }));

export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  // The second is better-sqlite3's for result codes that it does not know.
  return /^(SQLITE_|UNKNOWN_SQLITE_ERROR_)/.test(error.code) ? error.code : undefined;
}

function mapped(code: string, message: string): MappedError {
  switch (code) {
    case 'SQLITE_CONSTRAINT_UNIQUE':
    case 'SQLITE_CONSTRAINT_PRIMARYKEY': {
      const columns = constraintColumns(message);
      const table = columns?.[0]?.split('.').slice(0, -1).join('.') || undefined;
      return { kind: 'UniqueConstraintViolation', constraint: fieldsOf(columns), table };
    }
    case 'SQLITE_CONSTRAINT_NOTNULL':
      return { kind: 'NullConstraintViolation', constraint: fieldsOf(constraintColumns(message)) };
    case 'SQLITE_MISUSE':
      return { kind: 'ConnectionClosed' };
  }
  // SQLite implements RESTRICT as a trigger and reports it as a trigger's error.
  if (message === 'FOREIGN KEY constraint failed') {
    return { kind: 'ForeignKeyConstraintViolation', constraint: { foreignKey: {} } };
  }
  if (code.startsWith('SQLITE_BUSY')) return { kind: 'SocketTimeout' };
  return { kind: 'sqlite', extendedCode: 1, message };
}

/** `UNIQUE constraint failed: ApiKey.hash, ApiKey.name` → `['ApiKey.hash', 'ApiKey.name']`. */
function constraintColumns(message: string): string[] | undefined {
  return message.split('constraint failed: ')[1]?.split(', ');
}

function fieldsOf(columns: string[] | undefined): { fields: string[] } | undefined {
  return columns && { fields: columns.map((column) => column.split('.').pop() ?? column) };
}

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

/**
 * The result of `attempt`, which is repeated while the database is locked, for at most `limit` milliseconds; then
 * P1008. Between attempts the event loop is free, whereas SQLite's own busy timeout would block it.
 */
export async function retryWhileBusy<Result>(attempt: () => Result, limit: number): Promise<Result> {
  const startedAt = performance.now();
  for (let tries = 0; ; tries++) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const waited = performance.now() - startedAt;
      if (waited >= limit) throw busyError(waited);
    }
    await pause(tries);
  }
}

/**
 * Waits before attempt number `tries` + 2: 1, 2, then 4 ms, each ±50 %, so that two processes that want the same lock
 * do not stay in step. Longer pauses would leave the lock unused, and an attempt costs only 10 µs.
 */
export async function pause(tries: number): Promise<void> {
  await sleep(Math.min(4, 2 ** tries) * (0.5 + Math.random()));
}
