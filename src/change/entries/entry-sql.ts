/**
 * The journal's entries as SQL: a SELECT of new entries, which an INSERT takes, with the JSON text of changed fields, built
 * by the database from the stored values: of a change `{"field":[before,after]}`, of a deleted record `{"field":before}`
 * without those that are null. `src/change/journal/entry.ts` reads it.
 */
import type { Rows } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { quoted, type StatementBuilder } from '../../database/statement-builder.js';
import type { Author } from '../../model/change.js';
import type { Field, FieldType } from '../../model/field.js';
import { transitions } from '../../model/lifecycle.js';
import type { Resource } from '../../model/resource.js';
import type { Becomes, RaiseVersion, Remove, Shift, Step } from '../plan.js';
import { raisedSql } from '../statements/conditions.js';

/** The document whose lines a plan changes. */
export interface LineDocument extends Omit<RaiseVersion, 'kind'> {
  /** What it gets in place of the next version; its entries have the time of the plan then. */
  becomes?: Becomes | undefined;
}

/** What the entries of one plan have in common. */
export interface Journaled {
  by: Author;
  at: Date;
  /** The document of all lines in the plan, except where the plan creates or deletes whole documents. */
  document: LineDocument | undefined;
  /** The times of the documents that the plan has created so far, by id, for the entries of their lines. */
  createdAt: Map<string, Date>;
  /** How many rows the plan writes, as far as is known before. */
  rows: number;
  /** PostgreSQL: the document's version and time of the change, once they are known. */
  raised?: { revision: number; at: string | undefined } | undefined;
  /** PostgreSQL: the named query that raises the document, if the same statement does. */
  raisedBy?: string;
}

/** The document whose version the first step raises. */
export function documentOf([first]: readonly Step[]): LineDocument | undefined {
  if (first?.kind === 'raise') return first;
  const [row] = first?.kind === 'update' && first.raises ? first.rows : [];
  if (first?.kind !== 'update' || !row) return undefined;
  const { resource, locked, allowed } = first;
  return { id: row.id, resource, version: row.version, locked, allowed, becomes: row.becomes };
}

/** What a step that raises the document has returned; undefined for another step. */
export function raisedBy(step: Step, [row]: Rows): Journaled['raised'] {
  const isRaised = step.kind === 'raise' || (step.kind === 'update' && step.raises);
  if (!isRaised || !row) return undefined;
  const isBrought = step.kind === 'update' && step.rows[0]?.becomes !== undefined;
  return { revision: Number(row[1]), at: isBrought || row[2] === undefined ? undefined : String(row[2]) };
}

export const entryColumns = [
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

export const insertEntries = `INSERT INTO "JournalEntry" (${entryColumns.map(quoted).join(', ')})`;

/** What entries have in common that belong to one document, as SQL. */
export interface EntryDocument {
  /** The time of the change, as in the document's `updatedAt`. */
  at: string;
  revision: string;
  documentModel: string;
  documentId: string;
}

/**
 * The values of entries, as SQL. Those of the document are spread last: on Node 20 an object with properties behind a spread
 * takes nine times as long to make, and stays in memory until V8 collects old objects.
 */
interface EntryValues extends EntryDocument {
  action: string;
  model: string;
  id: string;
  version: string;
  /** The JSON text of the changed fields. */
  changes: string;
  /** What follows FROM; undefined for a single entry of given values. */
  from?: string | undefined;
}

/** The name of a record type or of an action as SQL: such names hold nothing that would need quoting. */
export const nameSql = (name: string | undefined): string => (name === undefined ? 'NULL' : `'${name}'`);

export function selectEntries(
  text: StatementBuilder,
  { keyId, keyName, requestId, operation }: Author,
  of: EntryValues,
) {
  const author = [keyId, keyName, requestId, operation ?? null].map((value) => text.typed(value, 'text'));
  const values = [of.at, of.action, of.model, of.id, of.documentModel, of.documentId, of.revision, of.version];
  return `SELECT ${[...values, ...author, of.changes].join(', ')}${of.from ? ` FROM ${of.from}` : ''}`;
}

/**
 * What entries of lines take from their document: on SQLite from the query `document`, on PostgreSQL from the statement
 * that has raised it before, or that does so in the same statement.
 */
export function lineDocument(text: StatementBuilder, { document, raised, raisedBy, at }: Journaled): EntryDocument {
  const { id, resource } = document ?? {};
  const documentModel = nameSql(resource?.model);
  if (text.provider === 'sqlite') {
    const documentId = text.bind(id);
    return { at: '"document"."time"', revision: '"document"."revision"', documentModel, documentId };
  }
  const isTimed = raisedBy !== undefined && resource?.timestamps;
  const isFound = document && id === undefined && raisedBy !== undefined;
  return {
    at: isTimed ? `(SELECT "updatedAt" FROM ${raisedBy})` : text.typed(raised?.at ?? at, 'timestamp(3)'),
    revision:
      raisedBy === undefined ? text.typed(raised?.revision ?? null, 'integer') : `(SELECT "version" FROM ${raisedBy})`,
    documentModel,
    documentId: isFound ? `(SELECT "id" FROM ${raisedBy})` : text.typed(id ?? null, 'text'),
  };
}

/** Where an update's rows are read: its new values, and those before. */
interface UpdatedRows {
  /** The table of the row's id. */
  row: string;
  /** The version and the time that a record gets. */
  revision: string;
  at: string;
  /** The time of its last change. */
  updatedAt: string;
  fields: readonly UpdatedField[];
  from: string;
}

export function updatedEntries(
  text: StatementBuilder,
  journaled: Journaled,
  resource: Resource,
  { row, revision, at, updatedAt, fields, from }: UpdatedRows,
): string {
  const model = nameSql(resource.model);
  const id = `${row}."id"`;
  const isLine = resource.kind === 'child';
  return selectEntries(text, journaled.by, {
    action: actionSql(resource, fields),
    model,
    id,
    version: revision,
    changes: changesSql(fields, resource.timestamps ? timeJson(text.provider, updatedAt) : undefined),
    from,
    ...(isLine ? lineDocument(text, journaled) : { at, revision, documentModel: model, documentId: id }),
  });
}

/**
 * The entries of deleted records, read from the table `record`, and of their lines; `rest` follows the tables, and selects the
 * records.
 */
export function removedEntries(
  text: StatementBuilder,
  journaled: Journaled,
  { resource }: Remove,
  record: string = resource.model,
  rest = '',
): string[] {
  const isLine = resource.kind === 'child';
  const { version, updatedAt } = raisedSql(text, record, journaled.at);
  const documentId = `"${record}"."id"`;
  const document = isLine
    ? lineDocument(text, journaled)
    : { at: updatedAt(), revision: version, documentModel: nameSql(resource.model), documentId };
  const entry = (deleted: Resource, table: string, join: string) =>
    selectEntries(text, journaled.by, {
      action: nameSql('delete'),
      model: nameSql(deleted.model),
      id: `"${table}"."id"`,
      version: `"${table}"."version"`,
      changes: recordSql(text.provider, deleted, (name) => `"${table}"."${name}"`),
      from: `"${record}"${join}${rest}`,
      ...document,
    });
  return [
    entry(resource, record, ''),
    ...resource.lines.map(({ resource: { model }, resource: line, reference }) =>
      entry(line, model, ` JOIN "${model}" ON "${model}"."${reference}" = ${documentId}`),
    ),
  ];
}

/** The entries of moved lines, read from `from` before the shift or after it. */
export function shiftedEntries(
  text: StatementBuilder,
  journaled: Journaled,
  { resource: { model }, by }: Shift,
  from: string,
  isAfter: boolean,
): string {
  const [before, after] = isAfter ? [`("idx" - ${by})`, '"idx"'] : ['"idx"', `("idx" + ${by})`];
  return selectEntries(text, journaled.by, {
    action: nameSql('move'),
    model: nameSql(model),
    id: '"id"',
    version: isAfter ? '"version"' : '"version" + 1',
    changes: `'{"idx":[' || ${before} || ',' || ${after} || ']}'`,
    from,
    ...lineDocument(text, journaled),
  });
}

/** `{"updatedAt":[before],"field":[before,after],…}` of the fields that differ. */
export function changesSql(fields: readonly UpdatedField[], updatedAt: string | undefined): string {
  const parts = fields.map(
    ({ name, differs, before, after }) =>
      `CASE WHEN ${differs} THEN ',"${name}":[' || ${before} || ',' || ${after} || ']' ELSE '' END`,
  );
  return object(updatedAt ? [`',"updatedAt":[' || ${updatedAt} || ']'`, ...parts] : parts);
}

/** What the journal shows of a secret. */
export const mask = '***';

/** All fields of a record that are not null, secrets masked; `column` gives the SQL of a column by its name. */
export function recordSql(provider: Provider, resource: Resource, column: (name: string) => string): string {
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
    return `json_strip_nulls((SELECT row_to_json(o) FROM (SELECT ${fields.join(', ')}) AS o))::text`;
  }
  const part = (name: string, json: string) =>
    `CASE WHEN ${column(name)} IS NULL THEN '' ELSE ',"${name}":' || ${json} END`;
  return object([
    ...times.map((name) => part(name, timeJson(provider, column(name)))),
    ...resource.fields.map((field) => part(field.name, fieldJson(provider, field, column(field.name)))),
  ]);
}

const object = (parts: readonly string[]): string =>
  parts.length === 0 ? "'{}'" : `'{' || substr(${parts.join(' || ')}, 2) || '}'`;

/** The JSON of a value. */
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

/** A field that an update may change, as SQL. */
export interface UpdatedField {
  name: string;
  /** The condition that it changes. */
  differs: string;
  /** Its new value. */
  value: string;
  /** Its values as JSON. */
  before: string;
  after: string;
}

/** By its stored and its new value, the condition that they differ, and the JSON of the new value. */
export function updatedField(
  provider: Provider,
  field: Field,
  old: string,
  value: string,
  differs = `${old} IS DISTINCT FROM ${value}`,
  after = fieldJson(provider, field, value),
): UpdatedField {
  return { name: field.name, value, differs, before: fieldJson(provider, field, old), after };
}

/** Whether an update submits, cancels, only moves a line, or none of these. */
function actionSql({ documentLike, kind }: Resource, fields: readonly UpdatedField[]): string {
  const status = documentLike ? fields.find(({ name }) => name === 'status') : undefined;
  if (status) {
    const { submit, cancel } = transitions;
    const reached = `WHEN '${submit.to}' THEN 'submit' WHEN '${cancel.to}' THEN 'cancel' ELSE 'update' END`;
    return `CASE WHEN ${status.differs} THEN CASE ${status.value} ${reached} ELSE 'update' END`;
  }
  const others = fields.filter(({ name }) => name !== 'idx');
  if (kind !== 'child' || others.length === fields.length) return nameSql('update');
  if (others.length === 0) return nameSql('move');
  return `CASE WHEN ${others.map(({ differs }) => differs).join(' OR ')} THEN 'update' ELSE 'move' END`;
}
