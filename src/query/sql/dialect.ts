/**
 * How each database builds JSON. SQLite returns the text of a record with its keys in the given order, which is sent to
 * the client unchanged. PostgreSQL takes twice as long for that as for an array of the values, so it returns the array,
 * and `record-reader.ts` adds the keys.
 */

import { answerLimitMark, leastLine } from '../../database/answer-limit.js';
import { failingOnStatus } from '../../database/database-problem.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { type Placeholders, placeholders, storedValue } from '../../database/statement-builder.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { shortenedSql, signatureOf } from '../cursor.js';
import type { SortKeys } from '../list.js';
import { postgresqlCompact, postgresqlComplete, type RecordForm, sqliteForm, sqliteMarked } from './record-form.js';

export interface Dialect extends SizeCountSql, Placeholders {
  /** The form with keys. Numbers look as JSON.stringify writes them. */
  complete: RecordForm;
  /** The form that the database builds fastest. */
  compact: RecordForm;
  /** Whether the number of rows of a page is in the text of its statement (`limitSql`). */
  limitsInText: boolean;
  /** Whether the compact form lacks the keys. */
  lacksKeys: boolean;
  /** Converts a value to the stored form of the column it is compared with. */
  stored(value: unknown): string | number;
  /**
   * A JSON array of the objects of a subquery's rows; `from` begins with FROM. Each object is built once, under the
   * name `item`, and kept if `condition` is true. The condition may count the object, and may use the column `place` as
   * "place".
   */
  array(object: string, from: string, order: string, condition?: string, place?: string): string;
  /** A subquery that is evaluated once, however often its columns are used. */
  madeOnce(select: string): string;
  /** The object of a subquery's single row, or null. */
  single(object: string, from: string): string;
  /** A text column as a cursor holds it. */
  shortened(column: string): string;
  /** The cursor of a row in an order whose columns are numbers and ids. */
  cursor(keys: SortKeys, columns: readonly string[]): string;
  /** Fails for the state of a document in this column. */
  failOnStatus(column: string): string;
  json(text: string): string;
  /** The expression to select for the text of `json`, as `recordReader` takes it. */
  text(json: string): string;
}

/** How a database counts the bytes of an answer while it builds it, and stops at the limit. */
interface SizeCountSql {
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

const countedInSqlite: SizeCountSql = {
  size: (json) => `octet_length(${json})`,
  sizeOfText: (column) => `octet_length(json_quote(${column}))`,
  // SQL functions defined by `SqliteConnection`.
  countedLine: (bytes, frame, limit) => `counted_line(${bytes}, ${frame}, ${limit})`,
  countedRow: (bytes, frame, limit) => `counted_row(${bytes}, ${frame}, ${limit})`,
  checkedRow: (bytes, frame, limit) => countedInSqlite.countedRow(bytes, frame, limit),
};

/** PostgreSQL keeps the counts in two settings of the session, which last until the statement ends. */
const countedInPostgresql: SizeCountSql = {
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

const sqlite: Dialect = {
  ...countedInSqlite,
  ...placeholders.sqlite,
  complete: sqliteForm,
  compact: sqliteMarked,
  lacksKeys: false,
  limitsInText: false,
  shortened: (column) => shortenedSql('sqlite', column),
  stored: (value) => boundValue('sqlite', value),
  // SQLite sorts for an ORDER BY inside group_concat even if an index has the order; a subquery's order is kept.
  array: (object, from, order, condition = 'true') =>
    `(SELECT '[' || coalesce(group_concat(item, ','), '') || ']'
      FROM (SELECT ${object} AS item ${from} ORDER BY ${order} LIMIT -1) WHERE ${condition})`,
  // Without a limit SQLite would inline the subquery wherever it is used and evaluate it each time.
  madeOnce: (select) => `(${select} LIMIT -1)`,
  single: (object, from) => `coalesce((SELECT ${object} ${from}), 'null')`,
  // An SQL function defined by `SqliteConnection`.
  cursor: (keys, columns) => `cursor_of('${signatureOf(keys)}', ${columns.join(', ')})`,
  failOnStatus: failingOnStatus.sqlite,
  json: (text) => text,
  text: (json) => `CAST(${json} AS BLOB)`,
};

const postgresql: Dialect = {
  ...countedInPostgresql,
  ...placeholders.postgresql,
  complete: postgresqlComplete,
  compact: postgresqlCompact,
  lacksKeys: true,
  limitsInText: true,
  shortened: (column) => shortenedSql('postgresql', column),
  stored: (value) => boundValue('postgresql', value),
  // Writes no spaces, unlike json_agg.
  array: (object, from, order, condition = 'true', place) =>
    `array_to_json(ARRAY(SELECT item
      FROM (SELECT ${object} AS item${place ? `, ${place} AS place` : ''} ${from} ORDER BY ${order} OFFSET 0) AS listed WHERE ${condition}))`,
  madeOnce: (select) => `(${select} OFFSET 0)`,
  single: (object, from) => `(SELECT ${object} ${from})`,
  cursor: (keys, columns) => {
    const values = columns.map((column) => `to_json(${column})::text`).join(` || ',' || `);
    const bytes = `convert_to('["${signatureOf(keys)}",' || ${values} || ']', 'UTF8')`;
    return `rtrim(translate(encode(${bytes}, 'base64'), E'+/\\n', '-_'), '=')`;
  },
  failOnStatus: failingOnStatus.postgresql,
  json: (text) => `(${text})::json`,
  text: (json) => `${json}::text`,
};

export const dialects: Record<Provider, Dialect> = { sqlite, postgresql };

/** The longest name of a column in PostgreSQL, in bytes; longer ones are truncated. */
export const longestKey = 63;

function boundValue(provider: Provider, value: unknown): string | number {
  const stored = value instanceof Prisma.Decimal ? value.toNumber() : storedValue(provider, value);
  if (stored === null) throw new TypeError('Null is compared with by IS NULL');
  return stored;
}

/**
 * The number of rows of a page. PostgreSQL gets it in the text of the statement: its planner estimates a bound LIMIT at
 * a tenth of the table, which looks so expensive that it plans the statement again for each execution. That takes a
 * quarter of the time of a page of documents. SQLite gets a bound value.
 */
export const limitSql = ({ limitsInText }: { limitsInText: boolean }, rows: number): Prisma.Sql =>
  limitsInText ? limitInText(rows) : Prisma.sql`${rows}`;

export function limitInText(rows: number): Prisma.Sql {
  if (!Number.isSafeInteger(rows) || rows < 0) throw new RangeError(`${rows} is not a number of rows`);
  return Prisma.raw(String(rows));
}
