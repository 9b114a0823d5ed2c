/**
 * Many rows as a table, for FROM on PostgreSQL: one array of values for each column. So there is one statement for any
 * number of rows, and the database reads arrays faster than JSON.
 */

import type { Value } from '../../common/work.js';
import type { FieldType } from '../../model/field.js';
import type { Resource } from '../../model/resource.js';
import { quoted, type StatementBuilder } from './statement-builder.js';

export interface TableColumn<Row> {
  name: string;
  type: SqlType;
  cell(row: Row): unknown;
}

export type SqlType = 'text' | 'integer' | 'double precision' | 'boolean' | 'timestamp(3)';

export function rowsTable<Row>(
  text: StatementBuilder,
  name: string,
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
): string {
  const arrays = columns.map(({ type, cell }) => {
    const cells = rows.map((row) => elementText(text.stored(cell(row))));
    return `${text.bind(`{${cells.join()}}`)}::${type}[]`;
  });
  return `unnest(${arrays.join(', ')}) AS ${quoted(name)} (${columns.map((column) => quoted(column.name)).join(', ')})`;
}

/** An element of an array as PostgreSQL writes it. */
function elementText(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  return `"${isEscaped.test(value) ? value.replace(escaped, '\\$&') : value}"`;
}

const isEscaped = /["\\]/;
const escaped = /["\\]/g;

export const fieldTypes = {
  String: 'text',
  Float: 'double precision',
  Int: 'integer',
  Boolean: 'boolean',
} satisfies Record<FieldType, SqlType>;

/** The type of any column of a record: of a field, or of its id, its parent, its version and its timestamps. */
export function sqlTypeOf({ fields }: Resource, name: string): SqlType {
  const field = fields.find((each) => each.name === name);
  if (field) return fieldTypes[field.type];
  return otherTypes[name] ?? 'text';
}

const otherTypes: Partial<Record<string, SqlType>> = {
  version: 'integer',
  createdAt: 'timestamp(3)',
  updatedAt: 'timestamp(3)',
};
