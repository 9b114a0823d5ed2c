/** How each database counts the bytes of an answer while it makes it, and stops at the limit. */
import { answerLimitMark, leastLine } from '../database/answer-limit.js';
import type { Provider } from '../database/migration-history.js';

export interface Counting {
  /** The bytes of the text of `json`, which is there already. */
  size(json: string): string;
  /** The bytes a text column takes as a JSON value. */
  sizeOfText(column: string): string;
  /**
   * True, once so many bytes have been added to those of the statement's lines; the statement fails where these and its
   * rows pass the limit.
   */
  countedLine(bytes: string, limit: number): string;
  /** The same for a row. Its lines are among its bytes, so they need not be counted by themselves any more. */
  countedRow(bytes: string, limit: number): string;
}

const sqlite: Counting = {
  size: (json) => `octet_length(${json})`,
  sizeOfText: (column) => `octet_length(json_quote(${column}))`,
  // Functions of `SqliteConnection`.
  countedLine: (bytes, limit) => `counted_line(${bytes}, ${limit})`,
  countedRow: (bytes, limit) => `counted_row(${bytes}, ${limit})`,
};

/** What has been counted stands in two settings of PostgreSQL's session, which last as long as the statement. */
const postgresql: Counting = {
  // Of what is there already, where a cast to text would make a copy.
  size: (json) => `pg_column_size(${json})`,
  sizeOfText: (column) => `coalesce(octet_length(to_json(${column})::text), 4)`,
  countedLine: (bytes, limit) =>
    within(set('lines', `${counted('lines')} + greatest(${bytes}, ${leastLine})`), counted('rows'), limit),
  countedRow: (bytes, limit) => within(set('rows', `${counted('rows')} + ${bytes}`), set('lines', '0'), limit),
};

type Count = 'lines' | 'rows';
const counted = (count: Count) => `coalesce(nullif(current_setting('gateway.answer_${count}', true), ''), '0')::bigint`;
const set = (count: Count, value: string) => `set_config('gateway.answer_${count}', (${value})::text, true)::bigint`;

/** SQL fails only where it is asked for the impossible: that a text be a boolean. `random` keeps the planner from trying. */
const within = (one: string, other: string, limit: number) =>
  `CASE WHEN ${one} + ${other} <= ${limit} THEN true ELSE ('${answerLimitMark(limit)}' || left(random()::text, 0))::boolean END`;

export const counting: Record<Provider, Counting> = { sqlite, postgresql };
