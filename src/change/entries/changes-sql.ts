/**
 * The JSON text of changed fields, built by the database from the stored values: of a change `{"field":[before,after]}`,
 * of a deleted record `{"field":before}` without those that are null. `src/change/journal/entry.ts` reads it.
 */
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Author, ChangeAction, Values } from '../../model/change.js';
import type { Field, FieldType } from '../../model/field.js';
import { transitions } from '../../model/lifecycle.js';
import type { Resource } from '../../model/resource.js';
import { quoted, type StatementBuilder } from '../statements/statement-builder.js';
import type { RowUpdate, Update } from '../statements/update.js';
import { changeColumns, type GivenField, givenFields } from '../statements/update-rows.js';

/** What the journal shows of a secret. */
export const mask = '***';

/** A field that a change may change. */
export interface ChangedField {
  name: string;
  /** The condition that it changes. */
  differs: ExpressionWriter;
  /** Its values as JSON. */
  before: ExpressionWriter;
  after: ExpressionWriter;
}

/** `{"updatedAt":[before],"field":[before,after],…}` of the fields that differ. */
export function changesSql(fields: readonly ChangedField[], updatedAt: ExpressionWriter | undefined): ExpressionWriter {
  return () => {
    const parts = updatedAt ? [`',"updatedAt":[' || ${updatedAt()} || ']'`] : [];
    for (const { name, differs, before, after } of fields) {
      parts.push(`CASE WHEN ${differs()} THEN ',"${name}":[' || ${before()} || ',' || ${after()} || ']' ELSE '' END`);
    }
    return object(parts);
  };
}

/** All fields of a record that are not null, secrets masked; `column` gives the SQL of a column by its name. */
export function recordSql(provider: Provider, resource: Resource, column: (name: string) => string): ExpressionWriter {
  const times = resource.timestamps ? ['createdAt', 'updatedAt'] : [];
  if (provider === 'postgresql') {
    // One function for the record takes half as long as one for each field.
    const fields = [
      ...times.map((name) => `${column(name)} AS "${name}"`),
      ...resource.fields.map((field) => {
        const value = column(field.name);
        return `${field.secret ? `CASE WHEN ${value} IS NOT NULL THEN '${mask}' END` : value} AS "${field.name}"`;
      }),
    ];
    return () => `json_strip_nulls((SELECT row_to_json(o) FROM (SELECT ${fields.join(', ')}) AS o))::text`;
  }
  const fields: { name: string; json: string }[] = [
    ...times.map((name) => ({ name, json: timeJson(provider, column(name)) })),
    ...resource.fields.map((field) => ({
      name: field.name,
      json: fieldJson(provider, field, column(field.name)),
    })),
  ];
  const parts = fields.map(
    ({ name, json }) => `CASE WHEN ${column(name)} IS NULL THEN '' ELSE ',"${name}":' || ${json} END`,
  );
  return () => object(parts);
}

/** The JSON text of a new record: its fields that are not null. */
export function recordJson({ fields }: Resource, row: Values, but?: string): string {
  const given: Values = {};
  for (const { name, secret } of fields) {
    const value = row[name];
    if (value !== null && value !== undefined && name !== but) given[name] = secret ? mask : value;
  }
  return JSON.stringify(given);
}

const object = (parts: readonly string[]): string =>
  parts.length === 0 ? "'{}'" : `'{' || substr(${parts.join(' || ')}, 2) || '}'`;

/** The JSON of a stored value. */
export function fieldJson(
  provider: Provider,
  { type, secret }: Pick<Field, 'type' | 'secret'>,
  column: string,
): string {
  if (secret) return `CASE WHEN ${column} IS NULL THEN 'null' ELSE '"${mask}"' END`;
  return json[provider](type, column);
}

/** The JSON of an instant. */
export const timeJson = (provider: Provider, column: string): string => json[provider]('String', column);

const json: Record<Provider, (type: FieldType, column: string) => string> = {
  sqlite: (type, column) => {
    if (type === 'String') return `json_quote(${column})`;
    if (type === 'Boolean') return `CASE ${column} WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE 'null' END`;
    // SQLite itself would write more digits than necessary, and not always the right ones.
    if (type === 'Float') return `CASE WHEN ${column} IS NULL THEN 'null' ELSE json(json_number(${column})) END`;
    return `coalesce(${column}, 'null')`;
  },
  postgresql: (type, column) =>
    type === 'String' ? `coalesce(to_json(${column})::text, 'null')` : `coalesce(${column}::text, 'null')`,
};

/** The journal's entries as SQL: a SELECT of new entries, which an INSERT takes. */
const columns = [
  'at',
  'action',
  'model',
  'recordId',
  'documentModel',
  'documentId',
  'revision',
  'version',
  'keyId',
  'keyName',
  'requestId',
  'operation',
  'changes',
];

/** The place of the document's id among the columns, from 1. */
export const documentIdColumn = columns.indexOf('documentId') + 1;

export const insertEntries = `INSERT INTO "JournalEntry" (${columns.map(quoted).join(', ')})`;

/** Writes an expression. Called in the order of the text, because SQLite numbers values by their position. */
export type ExpressionWriter = () => string;

/** Where the entries of a SELECT come from. */
export interface EntryValues {
  model: string | ExpressionWriter;
  action: ChangeAction | ExpressionWriter;
  /** The time of the change, as in the document's `updatedAt`. */
  at: ExpressionWriter;
  id: ExpressionWriter;
  documentModel: string | undefined | ExpressionWriter;
  documentId: ExpressionWriter;
  revision: ExpressionWriter;
  version: ExpressionWriter;
  /** The JSON text of the changed fields. */
  changes: ExpressionWriter;
  /** What follows FROM; undefined for a single entry of given values. */
  from?: ExpressionWriter | undefined;
}

export function selectEntries(text: StatementBuilder, by: Author, source: EntryValues): string {
  const { model, action, documentModel, from } = source;
  const values = [
    source.at(),
    written(action),
    written(model),
    source.id(),
    documentModel === undefined ? text.typed(null, 'text') : written(documentModel),
    source.documentId(),
    source.revision(),
    source.version(),
    text.typed(by.keyId, 'text'),
    text.typed(by.keyName, 'text'),
    text.typed(by.requestId, 'text'),
    text.typed(by.operation ?? null, 'text'),
    source.changes(),
  ];
  return `SELECT ${values.join(', ')}${from ? ` FROM ${from()}` : ''}`;
}

/** Names of types and actions hold nothing that would need quoting. */
const written = (name: string | ExpressionWriter): string => (typeof name === 'string' ? `'${name}'` : name());

/** The fields that an update may change, and its action, as SQL. */

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
