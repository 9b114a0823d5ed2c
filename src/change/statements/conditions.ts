/** The conditions under which steps change rows: for the statements that change them, and for the journal. */

import { oncePer } from '../../common/kept.js';
import { fieldTypes, type SqlType, type StatementBuilder, type TableColumn } from '../../database/statement-builder.js';
import { Prisma } from '../../generated/sqlite/client.js';
import type { Field } from '../../model/field.js';
import { type Resource, scopeOf } from '../../model/resource.js';
import { conditionSql } from '../../query/condition.js';
import { columnsIn } from '../../query/matches.js';
import { dialects } from '../../query/sql/dialect.js';
import type { AllowedRows, Insert, Remove, RowUpdate, Shift, Update } from '../plan.js';

/** The condition that a document is neither submitted nor cancelled. */
const isDraft = `"status" = 'draft'`;

/** The conditions under which one row is written; `found` is SQL that finds its id, where it is not known. */
export function conditionsOfOne(
  text: StatementBuilder,
  { raises, resource, locked, allowed }: Pick<Update, 'raises' | 'resource' | 'locked' | 'allowed'>,
  { id, values, version, statuses }: RowUpdate,
  found?: string,
): string[] {
  const bound = (name: string, value: unknown) => text.bindColumn(resource.model, name, value);
  const compared = (names: readonly string[], operator: string) =>
    names.map((name) => `"${name}" ${operator} ${bound(name, values[name])}`);
  const conditions = [`"id" = ${found ?? bound('id', id)}`];
  if (version != null) conditions.push(`"version" = ${bound('version', version)}`);
  if (statuses) conditions.push(`"status" IN (${statuses.map((status) => text.bind(status)).join(', ')})`);
  const names = Object.keys(values);
  const kept = locked === 'fields' ? names.filter((name) => name !== 'status') : [];
  if (locked === 'whole') conditions.push(isDraft);
  if (kept.length > 0) conditions.push(`(${isDraft} OR (${compared(kept, 'IS NOT DISTINCT FROM').join(' AND ')}))`);
  if (!raises) conditions.push(`(${compared(names, 'IS DISTINCT FROM').join(' OR ')})`);
  if (!allowed) return conditions;
  const typed = (name: string) => `CAST(${bound(name, values[name])} AS ${sqlTypeOf(resource, name)})`;
  return [...conditions, ...allowedSql(text, resource, allowed, (name) => (name in values ? typed(name) : undefined))];
}

/** What the rights of the caller ask of a row; `given` is SQL for what a field becomes, if it gets a value. */
function allowedSql(
  text: StatementBuilder,
  { model }: Resource,
  { rule }: AllowedRows,
  given: (name: string) => string | undefined = () => undefined,
): string[] {
  const asked = (column: (name: string) => string): string =>
    boundSql(text, conditionSql(rule, { alias: `"${model}"`, column: (name) => Prisma.raw(column(name)) }));
  const present = (name: string) => `"${model}"."${name}"`;
  const isAsked = columnsIn(rule).some((name) => given(name) !== undefined);
  return isAsked ? [asked(present), asked((name) => given(name) ?? present(name))] : [asked(present)];
}

/** The same for the rows of a `ChangeTable`. */
export function allowedOfMany(text: StatementBuilder, update: Update): string[] {
  const { resource, allowed } = update;
  if (!allowed) return [];
  const { fields } = changeTable(update);
  return allowedSql(text, resource, allowed, (name) => fields.find(({ field }) => field.name === name)?.value);
}

/** The text of a condition, whose values are bound. */
export function boundSql(text: StatementBuilder, { strings, values }: Prisma.Sql): string {
  const { stored } = dialects[text.provider];
  return strings.reduce((before, behind, place) => before + text.bind(stored(values[place - 1])) + behind);
}

/** Further parts of a statement, besides the values that it writes. */
export interface Further {
  /** SQL that finds the id of the row, where it is not known. */
  id?: string | undefined;
  /** A table that is joined with the row. */
  from?: string;
  /** A condition on the row, and on that table. */
  condition?: string;
}

export type ChangeTable = ReturnType<typeof changeTable>;

interface ChangedField {
  field: Field;
  /** What a row gets, as SQL. */
  value: string;
  /** The condition that it is another value than the stored one. */
  differs: string;
}

/**
 * Many rows to be updated, each in its own way: the table `change`, which statements join with the stored rows. Made once: the
 * statement that writes the entries of a step and the one that changes its rows both join it.
 */
export const changeTable = oncePer(({ resource, rows, locked }: Update) => {
  const table = `"${resource.model}"`;
  const columns: TableColumn<RowUpdate>[] = [{ name: 'key', type: 'text', cell: ({ id }) => id }];
  const fields: ChangedField[] = [];
  for (const field of resource.fields) {
    const { name, type } = field;
    const isGiven = ({ values }: RowUpdate) => Object.hasOwn(values, name);
    if (!rows.some(isGiven)) continue;
    columns.push({ name, type: fieldTypes[type], cell: ({ values }) => values[name] ?? null });
    const [value, stored] = [`"change"."${name}"`, `${table}."${name}"`];
    const differs = `${stored} IS DISTINCT FROM ${value}`;
    if (rows.every(isGiven)) fields.push({ field, value, differs });
    else {
      columns.push({ name: `${name} given`, type: 'boolean', cell: isGiven });
      const given = `"change"."${name} given"`;
      const kept = `CASE WHEN ${given} THEN ${value} ELSE ${stored} END`;
      fields.push({ field, value: kept, differs: `(${given} AND ${differs})` });
    }
  }
  const anyOf = (some: readonly ChangedField[]) => some.map(({ differs }) => differs).join(' OR ');
  const conditions = [`${table}."id" = "change"."key"`, `(${anyOf(fields)})`];
  if (rows.some(({ version }) => version != null)) {
    columns.push({ name: 'expected version', type: 'integer', cell: ({ version }) => version ?? null });
    conditions.push(`coalesce("change"."expected version" = ${table}."version", true)`);
  }
  if (rows.some(({ statuses }) => statuses)) {
    columns.push({ name: 'state', type: 'text', cell: ({ statuses }) => statuses?.[0] ?? null });
    columns.push({ name: 'other state', type: 'text', cell: ({ statuses }) => statuses?.[1] ?? null });
    conditions.push(`("change"."state" IS NULL OR ${table}."status" IN ("change"."state", "change"."other state"))`);
  }
  const kept = fields.filter(({ field }) => field.name !== 'status');
  const isUnlocked = `${table}.${isDraft}`;
  if (locked === 'whole') conditions.push(isUnlocked);
  if (locked === 'fields' && kept.length > 0) conditions.push(`(${isUnlocked} OR NOT (${anyOf(kept)}))`);
  return { columns, fields, conditions };
});

/** The conditions under which a record is deleted. */
export function removeConditions(text: StatementBuilder, { resource, rows, locked, allowed }: Remove): string {
  const { model } = resource;
  const [first] = rows;
  const isOne = rows.length === 1;
  const conditions = [`"${model}"."id" ${isOne ? `= ${text.bind(first?.id)}` : text.among(rows.map(({ id }) => id))}`];
  if (isOne && first?.version != null) conditions.push(`"${model}"."version" = ${text.bind(first.version)}`);
  if (locked) conditions.push(`"${model}".${isDraft}`);
  if (allowed) conditions.push(...allowedSql(text, resource, allowed));
  return conditions.join(' AND ');
}

/** The condition that a record is as the statement saw it when it began, also if it had to wait for another writer. */
export const isUnchanged = (model: string): string =>
  `"${model}"."version" = (SELECT "seen"."version" FROM "${model}" AS "seen" WHERE "seen"."id" = "${model}"."id")`;

/** The conditions under which a line is moved. */
export function shiftConditions(text: StatementBuilder, { resource, parentId, from, to }: Shift): string {
  const conditions = [`"${scopeOf(resource)}" = ${text.bind(parentId)}`, `"idx" >= ${text.bind(from)}`];
  if (to !== undefined) conditions.push(`"idx" <= ${text.bind(to)}`);
  return conditions.join(' AND ');
}

/** What a row gets with each change: its next version, and of a document the time. */
export function raisedSql(text: StatementBuilder, model: string, at: Date) {
  // The time was taken before the row was locked: another writer may have been there with a later one.
  const later = text.provider === 'sqlite' ? 'max' : 'greatest';
  return {
    version: `"${model}"."version" + 1`,
    updatedAt: () => `${later}("${model}"."updatedAt", ${text.bindColumn(model, 'updatedAt', at)})`,
  };
}

/** The `idx` of a single new line: the given one, but at most one more than the number of its siblings. */
export function placeBehind(
  text: StatementBuilder,
  { resource: { model }, rows: [row], behind = '' }: Insert,
  given: string,
): string {
  const count = `(SELECT count(*) + 1 FROM "${model}" WHERE "${behind}" = ${text.bind(row?.[behind])})`;
  return text.provider === 'sqlite' ? `min(${given}, ${count})` : `least(${given}, ${count})`;
}

/** The type of any column of a record: of a field, or of its id, its parent, its version and its timestamps. */
export function sqlTypeOf({ fields }: Resource, name: string): SqlType {
  const field = fields.find((each) => each.name === name);
  if (field) return fieldTypes[field.type];
  if (name === 'version') return 'integer';
  return name === 'createdAt' || name === 'updatedAt' ? 'timestamp(3)' : 'text';
}
