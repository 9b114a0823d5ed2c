/**
 * The JSON text of changed fields, built by the database from the stored values: of a change `{"field":[before,after]}`,
 * of a deleted record `{"field":before}` without those that are null. `src/change/journal/stored-entry.ts` reads it.
 */
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Values } from '../../model/change.js';
import type { Field, FieldType } from '../../model/field.js';
import type { Resource } from '../../model/resource.js';
import type { ExpressionWriter } from './entry-sql.js';

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
