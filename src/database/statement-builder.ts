/** A statement under construction: its text in one database's dialect, and its values in the order of their numbers. */

import type { Statement, Value } from '../common/work.js';
import type { FieldType } from '../model/field.js';
import type { Provider } from './migrations/migration-history.js';

/** How each database writes placeholders. */
export const placeholders: Record<Provider, Placeholders> = {
  sqlite: { bound: (position) => `?${position}`, among: (place) => `IN (SELECT value FROM json_each(${place}))` },
  postgresql: {
    bound: (position) => `$${position}`,
    among: (place) => `= ANY (ARRAY(SELECT json_array_elements_text(${place}::json)))`,
  },
};

export interface Placeholders {
  /** The placeholder of the n-th bound value, from 1. */
  bound(position: number): string;
  /** The condition that a text is one of those in a bound JSON array. */
  among(place: string): string;
}

export class StatementBuilder {
  readonly values: Value[] = [];
  readonly #columns = new Map<string, { value: unknown; place: string }>();

  constructor(readonly provider: Provider) {}

  /** Binds a value and returns its placeholder, which may stand anywhere in the text, and more than once. */
  bind(value: unknown): string {
    return placeholders[this.provider].bound(this.values.push(storedValue(this.provider, value)));
  }

  /**
   * Binds the value that a statement compares with a column, or sets. It is sent once, however often that column of the
   * only row of its table has it.
   */
  bindColumn(table: string, column: string, value: unknown): string {
    const key = `${table}.${column}`;
    const known = this.#columns.get(key);
    if (known && known.value === value) return known.place;
    const place = this.bind(value);
    this.#columns.set(key, { value, place });
    return place;
  }

  /** Binds a value whose type PostgreSQL cannot know from its place. */
  typed(value: unknown, type: SqlType): string {
    const place = this.bind(value);
    return this.provider === 'sqlite' ? place : `${place}::${type}`;
  }

  /** The condition that a column is one of many ids; they are bound as a single value. */
  among(ids: readonly string[]): string {
    return placeholders[this.provider].among(this.bind(JSON.stringify(ids)));
  }

  /** Locks the rows of a SELECT until the transaction ends. SQLite needs no lock, because it has one writer at a time. */
  get locked(): string {
    return this.provider === 'sqlite' ? '' : ' FOR UPDATE';
  }

  /**
   * Many rows as a table, for FROM. PostgreSQL gets one array of values for each column: so there is one statement for any
   * number of rows, and the database reads arrays faster than JSON.
   */
  table<Row>(name: string, columns: readonly TableColumn<Row>[], rows: readonly Row[]): string {
    if (this.provider === 'sqlite') {
      const lists = rows.map((row) => `(${columns.map(({ cell }) => this.bind(cell(row))).join(', ')})`);
      const names = columns.map((column, index) => `column${index + 1} AS ${quoted(column.name)}`);
      return `(SELECT ${names.join(', ')} FROM (VALUES ${lists.join(', ')})) AS ${quoted(name)}`;
    }
    const arrays = columns.map(({ type, cell }) => {
      const cells = rows.map((row) => elementText(storedValue(this.provider, cell(row))));
      return `${this.bind(`{${cells.join()}}`)}::${type}[]`;
    });
    return `unnest(${arrays.join(', ')}) AS ${quoted(name)} (${columns.map((column) => quoted(column.name)).join(', ')})`;
  }

  statement(sql: string): Pick<Statement, 'sql' | 'values'> {
    return { sql, values: this.values };
  }
}

/**
 * A value in the form in which the database stores it. Timestamps are text: on SQLite as Prisma stores them, on PostgreSQL
 * because the driver would write them in the local time zone.
 */
export function storedValue(provider: Provider, value: unknown): Value {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  const isLite = provider === 'sqlite';
  if (typeof value === 'boolean') return isLite ? Number(value) : String(value);
  if (value instanceof Date) return isLite ? timestamp(value) : value.toISOString();
  throw new TypeError(`A ${typeof value} is not a value of a column`);
}

let last = { time: Number.NaN, text: '' };

/** As SQLite keeps it. The last text is kept, because a record is created and changed in the same instant, and so are the next ones. */
export function timestamp(date: Date): string {
  const time = date.getTime();
  if (time !== last.time) last = { time, text: date.toISOString().replace('Z', '+00:00') };
  return last.text;
}

export interface TableColumn<Row> {
  name: string;
  type: SqlType;
  cell(row: Row): unknown;
}

export type SqlType = 'text' | 'integer' | 'double precision' | 'boolean' | 'timestamp(3)';

/** The types of the columns of documented fields. */
export const fieldTypes = {
  String: 'text',
  Float: 'double precision',
  Int: 'integer',
  Boolean: 'boolean',
} satisfies Record<FieldType, SqlType>;

/** An element of an array as PostgreSQL writes it. */
function elementText(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  return `"${isEscaped.test(value) ? value.replace(escaped, '\\$&') : value}"`;
}

const isEscaped = /["\\]/;
const escaped = /["\\]/g;

export const quoted = (name: string): string => `"${name}"`;

/**
 * The most values in one statement on SQLite, which allows 32,766. Fewer, because a statement cannot be interrupted:
 * with a few hundred rows it takes some milliseconds, and other work can run after it.
 */
export const mostValues = 6_000;

/**
 * Splits items into batches whose values fit into one statement; `width` is the number of values of an item. PostgreSQL
 * gets all of them as one value.
 */
export function* batchesOf<Item>(
  provider: Provider,
  items: readonly Item[],
  width: number,
): Generator<readonly Item[]> {
  const size = provider === 'sqlite' ? Math.max(1, Math.floor(mostValues / width)) : items.length;
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
