/**
 * How each database writes JSON. Both answer with the text of a record, its keys in the order given, so that what the
 * database sends is what the client gets.
 */
import type { Provider } from '../database/migration-history.js';
import { toSqliteValue } from '../database/sqlite-values.js';
import { Prisma } from '../generated/sqlite/client.js';
import { type Counting, counting } from './counting.js';

export interface Dialect extends Counting {
  /** The n-th bound value, from 1. */
  bound(position: number): string;
  /** What is bound for a value to be compared with a column, in the form in which the column has it. */
  stored(value: unknown): string | number;
  /** An object of the entries, as JSON. */
  object(entries: readonly Entry[]): string;
  /**
   * The objects of a subquery's rows as an array: `from` begins with FROM. Each is made once, and taken where `condition`
   * holds of it, which may count it: it is called `item`.
   */
  array(object: string, from: string, order: string, condition?: string): string;
  /** A subquery whose rows are made once, however often their columns are named. */
  madeOnce(select: string): string;
  /** The object of a subquery's one row, or null. */
  single(object: string, from: string): string;
  /** What stands behind a text that is to be one of those in a bound JSON array. */
  among(place: string): string;
  /** A column as a JSON value. Numbers are written as JSON.stringify writes them. */
  value(column: string, type: ColumnType): string;
  /** Text that is JSON already. */
  json(text: string): string;
  /** What a statement selects to give the text of `json`, which `bytesIn` reads. */
  text(json: string): string;
}

export type Entry = readonly [key: string, expression: Expression];

/** An SQL expression: of JSON as `object`, `array`, `single` and `json` make it, or of anything JSON has a form for. */
export interface Expression {
  sql: string;
  isJson: boolean;
}

export type ColumnType = 'String' | 'Float' | 'Int' | 'Boolean' | 'DateTime' | 'ID';

const sqlite: Dialect = {
  ...counting.sqlite,
  bound: (position) => `?${position}`,
  stored: (value) =>
    plain(value instanceof Date || typeof value === 'boolean' ? toSqliteValue(value, undefined) : value),
  object: joinedObject,
  // An order within group_concat is sorted, whatever the index. That of a subquery is kept under group_concat.
  array: (object, from, order, condition = 'true') =>
    `(SELECT '[' || coalesce(group_concat(item, ','), '') || ']'
      FROM (SELECT ${object} AS item ${from} ORDER BY ${order} LIMIT -1) WHERE ${condition})`,
  // What a subquery without a limit selects is put in wherever it is named, and so made as often.
  madeOnce: (select) => `(${select} LIMIT -1)`,
  among: (place) => `IN (SELECT value FROM json_each(${place}))`,
  single: (object, from) => `coalesce((SELECT ${object} ${from}), 'null')`,
  value: (column, type) => {
    // true and false in SQLite's own binary JSON, which takes no reading.
    if (type === 'Boolean') return `CASE ${column} WHEN 1 THEN x'01' WHEN 0 THEN x'02' END`;
    if (type === 'DateTime') return `substr(${column}, 1, 23) || 'Z'`;
    if (type === 'Float') return `CASE WHEN ${column} IS NOT NULL THEN json_number(${column}) END`;
    return column;
  },
  json: (text) => text,
  text: (json) => `CAST(${json} AS BLOB)`,
};

/** Entries of one call of json_object: SQLite's functions take at most 1000 arguments, and each entry is two. */
const mostInCall = 400;

/**
 * An object whose JSON parts are put in as text: SQLite would read what it has just written, and write it once more. It
 * writes the runs of values in between; outside of their braces these have none, for each is a plain value.
 */
function joinedObject(entries: readonly Entry[]): string {
  const parts: string[] = [];
  let run: string[] = [];
  const endRun = () => {
    if (run.length > 0) parts.push(`trim(json_object(${run.join(', ')}), '{}')`);
    run = [];
  };
  for (const [key, { sql, isJson }] of entries) {
    if (!isJson) {
      if (run.length === mostInCall) endRun();
      run.push(`'${key}', ${sql}`);
    } else {
      endRun();
      parts.push(`'"${key}":' || ${sql}`);
    }
  }
  if (parts.length === 0) return `json_object(${run.join(', ')})`;
  endRun();
  const groups = grouped(parts).map((group) => `(${group.join(" || ',' || ")})`);
  return `'{' || ${groups.join(" || ',' || ")} || '}'`;
}

/** In groups, as SQLite takes expressions at most 1000 operators deep, and each of a row of operators is one deeper. */
const grouped = (parts: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(parts.length / 30) }, (_, index) => parts.slice(index * 30, (index + 1) * 30));

const postgresql: Dialect = {
  ...counting.postgresql,
  bound: (position) => `$${position}`,
  stored: (value) =>
    plain(value instanceof Date ? value.toISOString() : typeof value === 'boolean' ? `${value}` : value),
  // row_to_json writes no blanks, unlike json_build_object, and knows each column's type.
  object: (entries) =>
    `(SELECT row_to_json(o) FROM (SELECT ${entries.map(([key, { sql }]) => `${sql} AS "${key}"`).join(', ')}) AS o)`,
  // Unlike json_agg it writes no blanks either.
  array: (object, from, order, condition = 'true') =>
    `array_to_json(ARRAY(SELECT item
      FROM (SELECT ${object} AS item ${from} ORDER BY ${order} OFFSET 0) AS listed WHERE ${condition}))`,
  madeOnce: (select) => `(${select} OFFSET 0)`,
  among: (place) => `= ANY (ARRAY(SELECT json_array_elements_text(${place}::json)))`,
  single: (object, from) => `(SELECT ${object} ${from})`,
  value: (column, type) => {
    if (type === 'DateTime') return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
    if (type === 'Float') return numberInPostgresql(column);
    return column;
  },
  json: (text) => `(${text})::json`,
  text: (json) => `${json}::text`,
};

/**
 * PostgreSQL's own text of a number is JavaScript's too, but for very large and very small ones, and -0. The constants
 * have their types, or each would be converted whenever a statement is planned.
 */
const numberInPostgresql = (column: string): string =>
  `CASE WHEN abs(${column}) BETWEEN float8 '1e-4' AND float8 '999999999999999' THEN to_json(${column})
    WHEN ${column} = float8 '0' THEN json '0' ELSE gateway_number(${column})::json END`;

export const dialects: Record<Provider, Dialect> = { sqlite, postgresql };

/** PostgreSQL cuts names of columns, and so the keys made of them, off behind this many bytes. */
export const longestKey = 63;

function plain(value: unknown): string | number {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (value instanceof Prisma.Decimal) return value.toNumber();
  throw new TypeError(`A ${typeof value} cannot be bound`);
}
