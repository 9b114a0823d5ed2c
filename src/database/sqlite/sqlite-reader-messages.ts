/** Messages between the gateway and its reader processes. */
import type { SqlQuery, SqlResultSet } from '@prisma/driver-adapter-utils';
import type { SqliteValue } from './sqlite-values.js';

/** A read: in Prisma's form, or direct. */
export type ReaderRead = { query: SqlQuery } | { sql: string; values: readonly SqliteValue[] };

/** The outcome of a read; `code` is SQLite's name of the error. */
export type ReaderAnswer =
  | { result: SqlResultSet }
  | { rows: SqliteValue[][] }
  | { message: string; code: string | undefined };

/** The file descriptor of the pipe whose closing tells a reader process that the gateway has ended. */
export const readerPipe = 4;

export const isRead = (message: unknown): message is ReaderRead =>
  typeof message === 'object' && message !== null && ('query' in message || 'sql' in message);

export const isAnswer = (message: unknown): message is ReaderAnswer =>
  typeof message === 'object' && message !== null && ('result' in message || 'rows' in message || 'message' in message);
