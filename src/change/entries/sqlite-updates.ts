/** The entries of an update on SQLite. */

import type { Resource } from '../../model/resource.js';
import { batchesOf, quoted, type StatementBuilder } from '../statements/statement-builder.js';
import { type Becomes, conditionsOfOne, type Update } from '../statements/update.js';
import { changeColumns, changesWith, conditionsOfMany } from '../statements/update-rows.js';
import {
  actionSql,
  changesSql,
  type EntryValues,
  type ExpressionWriter,
  fieldsOfMany,
  fieldsOfOne,
  selectEntries,
  timeJson,
  type UpdatedField,
} from './changes-sql.js';
import type { Journaled } from './journaled.js';

/** A SELECT that becomes a part of the statement. */
export interface Part {
  /** A query that it reads by its name. */
  with?(text: StatementBuilder, name: string): string;
  select(text: StatementBuilder, name: string): string;
  /** About how many values it binds. */
  size: number;
}

/** The values of a small part. */
export const few = 100;

/** What entries of lines take from the query `document`. */
export const ofDocument = { at: () => '"document"."time"', revision: () => '"document"."revision"' } as const;

/** The version and the time that a record gets; the time of the plan if it brings its own. */
export function raisedSql(
  text: StatementBuilder,
  { model }: Resource,
  at: Date,
  { becomes }: { becomes?: Becomes | undefined } = {},
): { revision: ExpressionWriter; time: ExpressionWriter } {
  if (becomes) return { revision: () => text.bind(becomes.version), time: () => text.bind(at) };
  return {
    revision: () => `"${model}"."version" + 1`,
    time: () => `max("${model}"."updatedAt", ${text.bind(at)})`,
  };
}

/** The parts of an update. */
export function* updatedParts(journaled: Journaled, step: Update): Generator<Part> {
  const { resource } = step;
  const [first] = step.rows;
  const table = quoted(resource.model);
  const isLine = resource.kind === 'child';
  const join = isLine ? ' CROSS JOIN "document"' : '';
  if (step.rows.length === 1 && first) {
    if (!step.raises && Object.keys(first.values).length === 0) return;
    const from = (text: StatementBuilder) => () =>
      `${table}${join} WHERE ${conditionsOfOne(text, step, first).join(' AND ')}`;
    const fields = (text: StatementBuilder) => fieldsOfOne(text, resource, first);
    yield { select: (text) => selectUpdated(text, journaled, step, fields(text), from(text)), size: few };
    return;
  }
  const rows = step.rows.filter(({ values }) => Object.keys(values).length > 0);
  const columns = changeColumns({ resource, rows });
  for (const part of batchesOf('sqlite', rows, columns.length)) {
    const from = (change: string) => () =>
      `"${change}"${join} JOIN ${table} WHERE ${conditionsOfMany(table, change, columns, first?.locked).join(' AND ')}`;
    const fields = (change: string) => fieldsOfMany('sqlite', { ...step, rows }, table, change);
    yield {
      with: (text, change) => changesWith(text, change, columns, part),
      select: (text, change) => selectUpdated(text, journaled, step, fields(change), from(change)),
      size: part.length * columns.length,
    };
  }
}

function selectUpdated(
  text: StatementBuilder,
  { by, at, document }: Journaled,
  { resource, rows }: Update,
  fields: readonly UpdatedField[],
  from: EntryValues['from'],
): string {
  const { model } = resource;
  const isLine = resource.kind === 'child';
  const { revision, time } = raisedSql(text, resource, at, rows[0]);
  const own = {
    at: time,
    revision,
    documentModel: model,
    documentId: () => `"${model}"."id"`,
  };
  const ofLine = { ...ofDocument, documentModel: document?.resource?.model, documentId: () => text.bind(document?.id) };
  return selectEntries(text, by, {
    ...(isLine ? ofLine : own),
    action: actionSql(resource, fields),
    model,
    id: () => `"${model}"."id"`,
    version: revision,
    changes: changesSql(fields, isLine ? undefined : () => timeJson('sqlite', `"${model}"."updatedAt"`)),
    from,
  });
}
