/**
 * How each database builds JSON. SQLite returns the text of a record with its keys in the given order, which is sent to
 * the client unchanged. PostgreSQL takes twice as long for that as for an array of the values, so it returns the array,
 * and `record-reader.ts` adds the keys.
 */

import { failingOnStatus } from '../../database/database-problem.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { toSqliteValue } from '../../database/sqlite/sqlite-values.js';
import { type Placeholders, placeholders } from '../../database/statement-builder.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { signatureOf } from '../cursor.js';
import type { SortKeys } from '../keyset.js';
import { shortenedSql } from '../text-condition.js';
import { postgresqlCompact, postgresqlComplete } from './postgresql-record-form.js';
import { type RecordForm, sqliteForm, sqliteMarked } from './record-form.js';
import { counting, type SizeCountSql } from './size-count-sql.js';

export interface Dialect extends SizeCountSql, Placeholders {
  /** The form with keys. Numbers look as JSON.stringify writes them. */
  complete: RecordForm;
  /** The form that the database builds fastest. */
  compact: RecordForm;
  /** Whether the number of rows of a page is in the text of its statement (`sorted.ts`). */
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
  /** Marks text as JSON. */
  json(text: string): string;
  /** The expression to select so that `bytesIn` can read the text of `json`. */
  text(json: string): string;
}

const sqlite: Dialect = {
  ...counting.sqlite,
  ...placeholders.sqlite,
  complete: sqliteForm,
  compact: sqliteMarked,
  lacksKeys: false,
  limitsInText: false,
  shortened: (column) => shortenedSql('sqlite', column),
  stored: (value) =>
    bindable(value instanceof Date || typeof value === 'boolean' ? toSqliteValue(value, undefined) : value),
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
  ...counting.postgresql,
  ...placeholders.postgresql,
  complete: postgresqlComplete,
  compact: postgresqlCompact,
  lacksKeys: true,
  limitsInText: true,
  shortened: (column) => shortenedSql('postgresql', column),
  stored: (value) =>
    bindable(value instanceof Date ? value.toISOString() : typeof value === 'boolean' ? `${value}` : value),
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

function bindable(value: unknown): string | number {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (value instanceof Prisma.Decimal) return value.toNumber();
  throw new TypeError(`A ${typeof value} cannot be bound`);
}
