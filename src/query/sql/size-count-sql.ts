/** SQL with which each database counts the bytes of an answer while it builds it, and stops at the limit. */
import { answerLimitMark, leastLine } from '../../database/answer-limit.js';
import type { Provider } from '../../database/migrations/migration-history.js';

export interface SizeCountSql {
  /** The size in bytes of a JSON value that has been built. */
  size(json: string): string;
  /** The size in bytes of a text column as a JSON value. */
  sizeOfText(column: string): string;
  /**
   * Adds bytes, and those of the frame, to the statement's lines and returns true; the statement fails once lines and rows
   * together exceed the limit.
   */
  countedLine(bytes: string, frame: number, limit: number): string;
  /** The same for a row. It includes its lines, so their count starts again. */
  countedRow(bytes: string, frame: number, limit: number): string;
  /** The same for the only row of a statement without lines. */
  checkedRow(bytes: string, frame: number, limit: number): string;
}

const sqlite: SizeCountSql = {
  size: (json) => `octet_length(${json})`,
  sizeOfText: (column) => `octet_length(json_quote(${column}))`,
  // SQL functions defined by `SqliteConnection`.
  countedLine: (bytes, frame, limit) => `counted_line(${bytes}, ${frame}, ${limit})`,
  countedRow: (bytes, frame, limit) => `counted_row(${bytes}, ${frame}, ${limit})`,
  checkedRow: (bytes, frame, limit) => sqlite.countedRow(bytes, frame, limit),
};

/** PostgreSQL keeps the counts in two settings of the session, which last until the statement ends. */
const postgresql: SizeCountSql = {
  // The size of the existing value; a cast to text would copy it.
  size: (json) => `pg_column_size(${json})`,
  sizeOfText: (column) => `coalesce(octet_length(to_json(${column})::text), 4)`,
  countedLine: (bytes, frame, limit) =>
    limitCheckSql(
      set('lines', `${counted('lines')} + greatest(${sum(bytes, frame)}, ${leastLine})`),
      counted('rows'),
      limit,
    ),
  countedRow: (bytes, frame, limit) =>
    limitCheckSql(set('rows', `${counted('rows')} + ${sum(bytes, frame)}`), set('lines', '0'), limit),
  checkedRow: (bytes, frame, limit) => limitCheckSql(bytes, String(frame), limit),
};

const sum = (bytes: string, frame: number): string => (frame === 0 ? bytes : `${bytes} + ${frame}`);

type Count = 'lines' | 'rows';
const counted = (count: Count) => `coalesce(nullif(current_setting('gateway.answer_${count}', true), ''), '0')::bigint`;
const set = (count: Count, value: string) => `set_config('gateway.answer_${count}', (${value})::text, true)::bigint`;

/**
 * Makes the statement fail by casting a message to boolean. `random` keeps the planner from evaluating it in advance.
 */
const limitCheckSql = (one: string, other: string, limit: number) =>
  `CASE WHEN ${one} + ${other} <= ${limit} THEN true ELSE ('${answerLimitMark(limit)}' || left(random()::text, 0))::boolean END`;

export const counting: Record<Provider, SizeCountSql> = { sqlite, postgresql };
