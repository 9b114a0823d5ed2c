/** Sort columns as SQL, and their values as Prisma would return them. */
import { Prisma } from '../../generated/sqlite/client.js';
import type { ColumnResolver } from '../../records/condition.js';
import type { SelectedRecord } from '../../records/delegate.js';
import type { SortKey, SortKeys } from '../../records/keyset.js';
import type { Dialect } from './dialect.js';

/** The sort columns and the id, which make up a cursor. */
export function sortColumns(keys: SortKeys, { column }: Pick<ColumnResolver, 'column'>): Prisma.Sql {
  return Prisma.join(namesOf(keys).map(column));
}

/** The same columns in the form that `sortedRow` expects. */
export function readableColumns(dialect: Dialect, keys: SortKeys, alias: string): Prisma.Sql {
  const columns = namesOf(keys).map((name) => {
    const column = `${alias}."${name}"`;
    return typeOf(keys, name) === 'instant' ? dialect.value(column, 'DateTime') : column;
  });
  return Prisma.raw(columns.join(', '));
}

export function sortedRow(keys: SortKeys, values: readonly unknown[]): SelectedRecord {
  const [id, ...others] = namesOf(keys).map((name, index): [string, unknown] => {
    const value = values[index];
    return [name, value === null ? null : read[typeOf(keys, name)](value)];
  });
  return { ...Object.fromEntries(others), id: String(id?.[1]) };
}

const namesOf = (keys: SortKeys): string[] => [...new Set(['id', ...keys.map(({ field }) => field)])];

const typeOf = (keys: SortKeys, name: string): SortKey['type'] =>
  keys.find(({ field }) => field === name)?.type ?? 'string';

const read: Record<SortKey['type'], (value: unknown) => unknown> = {
  string: String,
  instant: String,
  integer: Number,
  number: Number,
  boolean: (value) => Boolean(Number(value)),
};
