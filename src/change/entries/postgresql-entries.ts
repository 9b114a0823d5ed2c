/**
 * An UPDATE on PostgreSQL that also writes its entries: the rows are locked and read first, so that their old values are
 * those that the update replaces, also where it had to wait for another writer.
 */

import type { Resource } from '../../model/resource.js';
import type { Insert, Remove, Shift } from '../plan.js';
import { quoted, type StatementBuilder } from '../statements/statement-builder.js';
import { isUnchanged, removeConditions } from '../statements/step-conditions.js';
import type { Further, Update } from '../statements/update.js';
import {
  actionSql,
  changesSql,
  fieldsWritten,
  insertEntries,
  recordSql,
  selectEntries,
  timeJson,
} from './changes-sql.js';
import { createdEntries, selectCreated } from './created-entries.js';
import { type Journaled, lineSource } from './journaled.js';

/** Named queries around an UPDATE of rows of one table. */
export interface UpdateEntries {
  /** Reads the rows, if `condition` is true; comes before the UPDATE. */
  before(condition?: string): string;
  /** What the UPDATE adds to its condition. */
  further: { from: string; condition: string };
  /** The SELECT of the entries of the rows that the UPDATE has returned as `written`. */
  entries(written: string): string;
}

/** `found` is SQL that finds the id of the only row, where it is not known. */
export function updateEntries(
  text: StatementBuilder,
  journaled: Journaled,
  update: Update,
  found?: string,
): UpdateEntries {
  const { resource, rows } = update;
  const { model, timestamps } = resource;
  const names = resource.fields.map(({ name }) => name).filter((name) => rows.some(({ values }) => name in values));
  // A statement that changes a line raises its document, too.
  const before = names.length === 0 ? 'document before' : 'before';
  const columns = ['id', ...(timestamps ? ['updatedAt'] : []), ...names].map((name) => `"${name}" AS "old ${name}"`);
  const [first] = rows;
  const condition =
    rows.length === 1 ? `= ${found ?? text.bindColumn(model, 'id', first?.id)}` : text.among(rows.map(({ id }) => id));
  const fields = fieldsWritten('postgresql', resource, names);
  const own = {
    // An import may bring an `updatedAt` of any year; the journal has the time at which the change was made.
    at: () => (first?.becomes ? text.typed(journaled.at, 'timestamp(3)') : '"written"."updatedAt"'),
    revision: () => '"written"."version"',
    documentModel: model,
    documentId: () => '"written"."id"',
  };
  const from = (written: string) => `${written} AS "written" JOIN "${before}" ON "${before}"."old id" = "written"."id"`;
  return {
    before: (further = 'true') =>
      `"${before}" AS (SELECT ${columns.join(', ')} FROM "${model}" WHERE "id" ${condition} AND ${further} ORDER BY "id"${text.locked})`,
    further: { from: `"${before}"`, condition: `"${model}"."id" = "${before}"."old id"` },
    entries: (written) =>
      selectEntries(text, journaled.by, {
        ...(resource.kind === 'child' ? lineSource(text, journaled) : own),
        action: actionSql(resource, fields),
        model,
        id: () => '"written"."id"',
        version: () => '"written"."version"',
        changes: changesSql(
          fields,
          timestamps ? () => timeJson('postgresql', `"${before}"."old updatedAt"`) : undefined,
        ),
        from: () => from(written),
      }),
  };
}

/** The named query that writes entries. */
export const writingEntries = (...selects: string[]): string =>
  `"entries" AS (${insertEntries} ${selects.join(' UNION ALL ')})`;

/** The whole statement; returns the id and new version of each changed row, and of documents the time as text. */
export function withUpdateEntries(
  text: StatementBuilder,
  journaled: Journaled,
  update: Update,
  write: (further: Further) => string,
): string {
  const { model, timestamps } = update.resource;
  const { before, further, entries } = updateEntries(text, journaled, update);
  const written = `"changed" AS (${write(further)} RETURNING ${quoted(model)}.*)`;
  const time = timestamps ? ', "updatedAt"::text' : '';
  return `WITH ${before()}, ${written}, ${writingEntries(entries('"changed"'))} SELECT "id", "version"${time} FROM "changed"`;
}

/**
 * A DELETE on PostgreSQL that also writes the entries of the deleted records and of their lines. The lines are read as they
 * were when the statement began; if a record has changed since, because the statement waited for another writer, it is not
 * deleted, and the whole mutation is repeated.
 */

/** Returns the ids and versions of the deleted records. */
export function removeWithEntries(text: StatementBuilder, journaled: Journaled, step: Remove): string {
  const { model, kind, lines } = step.resource;
  const conditions = [removeConditions(text, step)];
  if (lines.length > 0) conditions.push(isUnchanged(model));
  const gone = `"gone" AS (DELETE FROM "${model}" WHERE ${conditions.join(' AND ')} RETURNING *)`;
  const whole = {
    at: () => `greatest("gone"."updatedAt", ${text.typed(journaled.at, 'timestamp(3)')})`,
    revision: () => '"gone"."version" + 1',
    documentModel: model,
    documentId: () => '"gone"."id"',
  };
  const own = kind === 'child' ? lineSource(text, journaled) : whole;
  const selects = [
    selectEntries(text, journaled.by, { ...deleted(step.resource, 'gone'), ...own, from: () => '"gone"' }),
    ...lines.map(({ resource, reference }) =>
      selectEntries(text, journaled.by, {
        ...deleted(resource, resource.model),
        ...whole,
        from: () => `"gone" JOIN "${resource.model}" ON "${resource.model}"."${reference}" = "gone"."id"`,
      }),
    ),
  ];
  const entries = `"entries" AS (${insertEntries} ${selects.join(' UNION ALL ')})`;
  return `WITH ${gone}, ${entries} SELECT "id", "version" FROM "gone"`;
}

const deleted = (resource: Resource, table: string) => ({
  action: 'delete' as const,
  model: resource.model,
  id: () => `"${table}"."id"`,
  version: () => `"${table}"."version"`,
  changes: recordSql('postgresql', resource, (name) => `"${table}"."${name}"`),
});

/** New and moved lines on PostgreSQL, with their entries in the same statement. */

/** `write` returns the id, position and version of each line after the shift, and so does the whole. */
export function withShiftEntries(
  text: StatementBuilder,
  journaled: Journaled,
  { resource: { model }, by }: Shift,
  write: string,
): string {
  const select = selectEntries(text, journaled.by, {
    ...lineSource(text, journaled),
    action: 'move',
    model,
    id: () => '"id"',
    version: () => '"version"',
    changes: () => `'{"idx":[' || ("idx" - ${by}) || ',' || "idx" || ']}'`,
    from: () => '"moved"',
  });
  return `WITH "moved" AS (${write}), "entries" AS (${insertEntries} ${select}) SELECT "id", "idx", "version" FROM "moved"`;
}

/** `write` has no RETURNING; the whole returns the `idx` if the database finds it. */
export function withInsertEntries(text: StatementBuilder, journaled: Journaled, insert: Insert, write: string): string {
  const entries = createdEntries([insert], journaled);
  if (!journaled.document) {
    return `WITH "entries" AS (${insertEntries} ${selectCreated(text, journaled.by, entries)}) ${write}`;
  }
  const { at, revision } = lineSource(text, journaled);
  if (!insert.behind) {
    const select = selectCreated(text, journaled.by, entries, { at, revision });
    return `WITH "entries" AS (${insertEntries} ${select}) ${write}`;
  }
  const select = selectCreated(text, journaled.by, entries, { at, revision, idx: () => '"idx"', from: '"line"' });
  return `WITH "line" AS (${write} RETURNING "idx"), "entries" AS (${insertEntries} ${select}) SELECT "idx" FROM "line"`;
}
