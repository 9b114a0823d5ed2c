/**
 * How each database writes JSON. Both answer with the text of a record, its keys in the order given, so that what the
 * database sends is what the client gets.
 */
import type { Provider } from '../database/migration-history.js';
import { toSqliteValue } from '../database/sqlite-values.js';
import { Prisma } from '../generated/sqlite/client.js';

export interface Dialect {
  /** The n-th bound value, from 1. */
  bound(position: number): string;
  /** What is bound for a value to be compared with a column, in the form in which the column has it. */
  stored(value: unknown): string | number;
  /** An object of the entries, each a key and an SQL expression that `value` or this dialect made. */
  object(entries: readonly Entry[]): string;
  /** The objects of a subquery's rows as an array in the given order: `from` begins with FROM. */
  array(object: string, from: string, order: string): string;
  /** The object of a subquery's one row, or null. */
  single(object: string, from: string): string;
  /** A column as a JSON value. */
  value(column: string, type: ColumnType): string;
  /** Text that is JSON already. */
  json(text: string): string;
  /** What a statement selects to give the text of `json`. */
  text(json: string): string;
}

export type Entry = readonly [key: string, expression: string];
export type ColumnType = 'String' | 'Float' | 'Int' | 'Boolean' | 'DateTime' | 'ID';

const sqlite: Dialect = {
  bound: (position) => `?${position}`,
  stored: (value) =>
    plain(value instanceof Date || typeof value === 'boolean' ? toSqliteValue(value, undefined) : value),
  object: (entries) => `json_object(${entries.map(([key, value]) => `'${key}', ${value}`).join(', ')})`,
  array: (object, from, order) => `json((SELECT json_group_array(${object} ORDER BY ${order}) ${from}))`,
  single: (object, from) => `json((SELECT ${object} ${from}))`,
  value: (column, type) => {
    if (type === 'Boolean') return `json(CASE ${column} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END)`;
    if (type === 'DateTime') return `substr(${column}, 1, 23) || 'Z'`;
    return column;
  },
  json: (text) => `json(${text})`,
  text: (json) => json,
};

const postgresql: Dialect = {
  bound: (position) => `$${position}`,
  stored: (value) =>
    plain(value instanceof Date ? value.toISOString() : typeof value === 'boolean' ? `${value}` : value),
  // row_to_json writes no blanks, unlike json_build_object, and knows each column's type.
  object: (entries) =>
    `(SELECT row_to_json(o) FROM (SELECT ${entries.map(([key, value]) => `${value} AS "${key}"`).join(', ')}) AS o)`,
  array: (object, from, order) => `(SELECT coalesce(json_agg(${object} ORDER BY ${order}), '[]'::json) ${from})`,
  single: (object, from) => `(SELECT ${object} ${from})`,
  value: (column, type) => (type === 'DateTime' ? `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : column),
  json: (text) => `(${text})::json`,
  text: (json) => `${json}::text`,
};

export const dialects: Record<Provider, Dialect> = { sqlite, postgresql };

/** PostgreSQL cuts names of columns, and so the keys made of them, off behind this many bytes. */
export const longestKey = 63;

function plain(value: unknown): string | number {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (value instanceof Prisma.Decimal) return value.toNumber();
  throw new TypeError(`A ${typeof value} cannot be bound`);
}
