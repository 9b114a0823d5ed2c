/** Messages between the gateway and its reader processes. */
import type { SqlQuery, SqlResultSet } from '@prisma/driver-adapter-utils';
import { bytesOfRow } from '../../load-budget.js';
import type { SqliteValue } from '../sqlite-values.js';

/** A read: in Prisma's form, or direct. */
export type ReaderRead = { query: SqlQuery } | { sql: string; values: readonly SqliteValue[] };

/** The outcome of a read; `code` is SQLite's name of the error. */
export type ReaderAnswer =
  | { result: SqlResultSet }
  | { rows: unknown[][] }
  | { message: string; code: string | undefined };

/** The first rows of a large outcome, which follows. */
export interface FirstRows {
  first: unknown[][];
}

/** Bytes of rows in one message. To take 25 MB from a pipe as one message holds the event loop for 50 ms. */
const mostAtOnce = 512 * 1024;

/** The messages for an outcome. */
export function* messagesOf(answer: ReaderAnswer): Generator<FirstRows | ReaderAnswer> {
  if ('message' in answer) return yield answer;
  let rows: unknown[][] = [];
  let bytes = 0;
  for (const row of 'rows' in answer ? answer.rows : answer.result.rows) {
    rows.push(row);
    bytes += bytesOfRow(row);
    if (bytes < mostAtOnce) continue;
    yield { first: rows };
    rows = [];
    bytes = 0;
  }
  yield withRows(answer, rows);
}

/** The whole outcome, with the rows of the messages before it. */
export function completed(answer: ReaderAnswer, first: unknown[][]): ReaderAnswer {
  if ('message' in answer || first.length === 0) return answer;
  return withRows(answer, [...first, ...('rows' in answer ? answer.rows : answer.result.rows)]);
}

const withRows = (answer: Exclude<ReaderAnswer, { message: string }>, rows: unknown[][]): ReaderAnswer =>
  'rows' in answer ? { rows } : { result: { ...answer.result, rows } };

/** The file descriptor of the pipe whose closing tells a reader process that the gateway has ended. */
export const readerPipe = 4;

export const isRead = (message: unknown): message is ReaderRead =>
  typeof message === 'object' && message !== null && ('query' in message || 'sql' in message);

export const isFirstRows = (message: unknown): message is FirstRows =>
  typeof message === 'object' && message !== null && 'first' in message;

export const isAnswer = (message: unknown): message is ReaderAnswer =>
  typeof message === 'object' && message !== null && ('result' in message || 'rows' in message || 'message' in message);
