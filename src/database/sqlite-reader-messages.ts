/** What the gateway and its reader processes tell each other. */
import type { SqlQuery, SqlResultSet } from '@prisma/driver-adapter-utils';
import type { SqliteValue } from './sqlite-values.js';

/** One read: as Prisma asks it, or past Prisma. */
export type ReaderRead = { query: SqlQuery } | { sql: string; values: readonly SqliteValue[] };

/** Its outcome; `code` is SQLite's own name for an error. */
export type ReaderAnswer =
  | { result: SqlResultSet }
  | { rows: SqliteValue[][] }
  | { message: string; code: string | undefined };

/** The descriptor of the pipe that tells a reader process of the end of the gateway. */
export const readerPipe = 4;

export const isRead = (message: unknown): message is ReaderRead =>
  typeof message === 'object' && message !== null && ('query' in message || 'sql' in message);

export const isAnswer = (message: unknown): message is ReaderAnswer =>
  typeof message === 'object' && message !== null && ('result' in message || 'rows' in message || 'message' in message);
