/** Sort columns as SQL, and their values as `cursorOf` takes them. */
import { Prisma } from '../../generated/sqlite/client.js';
import type { ColumnResolver } from '../condition.js';
import type { SelectedRecord } from '../delegate.js';
import type { SortKey, SortKeys } from '../keyset.js';
import { readShortened } from '../text-condition.js';
import type { Dialect } from './dialect.js';
import type { BoundValue, SqlBuilder } from './statement.js';

/** The sort columns and the id, which make up a cursor. */
export function sortColumns(keys: SortKeys, { column }: Pick<ColumnResolver, 'column'>): Prisma.Sql {
  return Prisma.join(namesOf(keys).map(column));
}

/** The same columns in the form that `sortedRow` expects: texts as cursors hold them. */
export function readableColumns(dialect: Dialect, keys: SortKeys, alias: string): Prisma.Sql {
  const columns = namesOf(keys).map((name) => {
    const column = `${alias}."${name}"`;
    if (typeOf(keys, name) === 'instant') return dialect.complete.value(column, 'DateTime');
    return isText(keys, name) ? dialect.shortened(column) : column;
  });
  return Prisma.raw(columns.join(', '));
}

/** Long texts are `LongValue`s. */
export function sortedRow(keys: SortKeys, values: readonly unknown[]): SelectedRecord {
  const [id, ...others] = namesOf(keys).map((name, index): [string, unknown] => {
    const value = values[index];
    if (value === null) return [name, null];
    return [name, isText(keys, name) ? readShortened(String(value)) : read[typeOf(keys, name)](value)];
  });
  return { ...Object.fromEntries(others), id: String(id?.[1]) };
}

const namesOf = (keys: SortKeys): string[] => [...new Set(['id', ...keys.map(({ field }) => field)])];

const typeOf = (keys: SortKeys, name: string): SortKey['type'] =>
  keys.find(({ field }) => field === name)?.type ?? 'string';

/** Whether values of the column may be of any length. */
const isText = (keys: SortKeys, name: string): boolean => typeOf(keys, name) === 'string' && name !== 'id';

const read: Record<SortKey['type'], (value: unknown) => unknown> = {
  string: String,
  instant: String,
  integer: Number,
  number: Number,
  boolean: (value) => Boolean(Number(value)),
};

/**
 * The number of rows of a page. PostgreSQL gets it in the text of the statement: its planner estimates a bound LIMIT at
 * a tenth of the table, which looks so expensive that it plans the statement again for each execution. That takes a
 * quarter of the time of a page of documents. SQLite gets a bound value.
 */

/** As part of a statement that is written once. */
export const limitOf = (writing: SqlBuilder, count: BoundValue): string =>
  writing.dialect.limitsInText
    ? writing.dynamic((variables) => {
        const rows = count(variables);
        return rows === undefined ? undefined : inText(Number(rows));
      })
    : writing.bind(count);

/** As part of a statement that is written for each request. */
export const limitSql = ({ limitsInText }: { limitsInText: boolean }, rows: number): Prisma.Sql =>
  limitsInText ? inText(rows) : Prisma.sql`${rows}`;

function inText(rows: number): Prisma.Sql {
  if (!Number.isSafeInteger(rows) || rows < 0) throw new RangeError(`${rows} is not a number of rows`);
  return Prisma.raw(String(rows));
}
