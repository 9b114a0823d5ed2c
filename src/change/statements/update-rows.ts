/** Many rows to be updated, each in its own way, as a table that a statement joins with the stored rows. */
import { fieldTypes, type TableColumn } from './rows-table.js';
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
