/** Many rows to be updated, each in its own way, as a table that a statement joins with the stored rows. */

import type { Value } from '../../common/work.js';
import type { FieldType } from '../../model/field.js';
import type { Resource } from '../../model/resource.js';
import { quoted, type StatementBuilder } from './statement-builder.js';
import { isDraft, type Locked, type RowUpdate, type Update } from './update.js';

/** A column of the table of changes. */
export interface ChangeColumn extends TableColumn<RowUpdate> {
  /** The field whose new values it holds, and the column that says which rows change it, if not all do. */
  field?: { name: string; given: string | undefined };
}

export function changeColumns({ resource, rows }: Pick<Update, 'resource' | 'rows'>): ChangeColumn[] {
  const columns: ChangeColumn[] = [{ name: 'key', type: 'text', cell: ({ id }) => id }];
  for (const { name, type } of resource.fields) {
    const isGiven = ({ values }: RowUpdate) => Object.hasOwn(values, name);
    if (!rows.some(isGiven)) continue;
    const given = rows.every(isGiven) ? undefined : `${name} given`;
    columns.push({ name, type: fieldTypes[type], cell: ({ values }) => values[name] ?? null, field: { name, given } });
    if (given) columns.push({ name: given, type: 'boolean', cell: isGiven });
  }
  if (rows.some(({ version }) => version != null)) {
    columns.push({ name: 'expected version', type: 'integer', cell: ({ version }) => version ?? null });
  }
  if (rows.some(({ statuses }) => statuses)) {
    columns.push({ name: 'state', type: 'text', cell: ({ statuses }) => statuses?.[0] ?? null });
    columns.push({ name: 'other state', type: 'text', cell: ({ statuses }) => statuses?.[1] ?? null });
  }
  return columns;
}

/** A field, with the condition that a row gives it another value than `table` has. */
export interface GivenField {
  name: string;
  given: string | undefined;
  differs: string;
}

export function givenFields(table: string, change: string, columns: readonly ChangeColumn[]): GivenField[] {
  return columns.flatMap(({ field }) => {
    if (!field) return [];
    const { name, given } = field;
    const isOther = `${table}."${name}" IS DISTINCT FROM "${change}"."${name}"`;
    return [{ name, given, differs: given ? `("${change}"."${given}" AND ${isOther})` : isOther }];
  });
}

/** The conditions under which the rows of `table` are written; `locked` applies to all of them. */
export function conditionsOfMany(
  table: string,
  change: string,
  columns: readonly ChangeColumn[],
  locked: Locked | undefined,
): string[] {
  const fields = givenFields(table, change, columns);
  const differs = fields.map((field) => field.differs);
  const conditions = [`${table}."id" = "${change}"."key"`, `(${differs.join(' OR ')})`];
  const names = columns.map(({ name }) => name);
  if (names.includes('expected version')) {
    conditions.push(`coalesce("${change}"."expected version" = ${table}."version", true)`);
  }
  if (names.includes('state')) {
    conditions.push(
      `("${change}"."state" IS NULL OR ${table}."status" IN ("${change}"."state", "${change}"."other state"))`,
    );
  }
  const kept = fields.filter(({ name }) => name !== 'status').map((field) => field.differs);
  const isUnlocked = `${table}.${isDraft}`;
  if (locked === 'whole') conditions.push(isUnlocked);
  if (locked === 'fields' && kept.length > 0) conditions.push(`(${isUnlocked} OR NOT (${kept.join(' OR ')}))`);
  return conditions;
}

/** The table of changes as a named query, for WITH on SQLite: a VALUES list. */
export function changesWith(
  text: StatementBuilder,
  change: string,
  columns: readonly ChangeColumn[],
  rows: readonly RowUpdate[],
): string {
  for (const row of rows) for (const { cell } of columns) text.bind(cell(row));
  const places = `(${Array(columns.length).fill('?').join(', ')})`;
  const names = columns.map(({ name }) => quoted(name)).join(', ');
  return `"${change}" (${names}) AS (VALUES ${Array(rows.length).fill(places).join(', ')})`;
}

/**
 * Many rows as a table, for FROM on PostgreSQL: one array of values for each column. So there is one statement for any
 * number of rows, and the database reads arrays faster than JSON.
 */
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

const fieldTypes = {
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
