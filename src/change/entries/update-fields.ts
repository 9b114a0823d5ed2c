/** The fields that an update may change, and its action, as SQL. */
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Field } from '../../model/field.js';
import { transitions } from '../../model/lifecycle.js';
import type { Resource } from '../../model/resource.js';
import type { StatementBuilder } from '../statements/statement-builder.js';
import type { RowUpdate, Update } from '../statements/update.js';
import { changeColumns, type GivenField, givenFields } from '../statements/update-rows.js';
import { type ChangedField, fieldJson, mask } from './changes-sql.js';
import type { ExpressionWriter } from './entry-sql.js';

/** A field, with the SQL of its new value. */
export interface UpdatedField extends ChangedField {
  value: ExpressionWriter;
}

/** The fields of one row as it is before the update. */
export function fieldsOfOne(text: StatementBuilder, resource: Resource, { values }: RowUpdate): UpdatedField[] {
  return fieldsIn(resource, Object.keys(values)).map((field) => {
    const value = values[field.name];
    const shown = field.secret && value !== null ? mask : value;
    return {
      name: field.name,
      value: () => text.bind(value),
      differs: () => `"${field.name}" IS DISTINCT FROM ${text.bind(value)}`,
      before: () => fieldJson(text.provider, field, `"${field.name}"`),
      after: () => text.bind(JSON.stringify(shown)),
    };
  });
}

/** The fields of many rows as they are before the update; `change` is the table of the new values. */
export function fieldsOfMany(provider: Provider, update: Update, table: string, change: string): UpdatedField[] {
  const given = new Map<string, GivenField>(
    givenFields(table, change, changeColumns(update)).map((field) => [field.name, field]),
  );
  return fieldsIn(update.resource, [...given.keys()]).map((field) => ({
    name: field.name,
    value: () => `"${change}"."${field.name}"`,
    differs: () => given.get(field.name)?.differs ?? 'false',
    before: () => fieldJson(provider, field, `${table}."${field.name}"`),
    after: () => fieldJson(provider, field, `"${change}"."${field.name}"`),
  }));
}

/** The fields of rows that have been updated: `before` holds their old values, `written` the new ones. */
export function fieldsWritten(provider: Provider, resource: Resource, names: readonly string[]): UpdatedField[] {
  return fieldsIn(resource, names).map((field) => ({
    name: field.name,
    value: () => `"written"."${field.name}"`,
    differs: () => `"before"."old ${field.name}" IS DISTINCT FROM "written"."${field.name}"`,
    before: () => fieldJson(provider, field, `"before"."old ${field.name}"`),
    after: () => fieldJson(provider, field, `"written"."${field.name}"`),
  }));
}

const fieldsIn = ({ fields }: Resource, names: readonly string[]): Field[] =>
  fields.filter(({ name }) => names.includes(name));

/** Whether an update submits, cancels, only moves a line, or none of these. */
export function actionSql({ documentLike, kind }: Resource, fields: readonly UpdatedField[]): ExpressionWriter {
  const status = documentLike ? fields.find(({ name }) => name === 'status') : undefined;
  if (status) {
    const { submit, cancel } = transitions;
    const reached = `WHEN '${submit.to}' THEN 'submit' WHEN '${cancel.to}' THEN 'cancel' ELSE 'update' END`;
    return () => `CASE WHEN ${status.differs()} THEN CASE ${status.value()} ${reached} ELSE 'update' END`;
  }
  const others = fields.filter(({ name }) => name !== 'idx');
  if (kind !== 'child' || others.length === fields.length) return () => `'update'`;
  if (others.length === 0) return () => `'move'`;
  return () => `CASE WHEN ${others.map(({ differs }) => differs()).join(' OR ')} THEN 'update' ELSE 'move' END`;
}
