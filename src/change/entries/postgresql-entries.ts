/** The statements of a plan on PostgreSQL, each of which also writes its entries. */

import type { StatementBuilder } from '../../database/statement-builder.js';
import type { Insert, Remove, Shift, Update } from '../plan.js';
import { type Further, isUnchanged, removeConditions } from '../statements/conditions.js';
import { createdEntries, selectCreated } from './created-entries.js';
import {
  insertEntries,
  type Journaled,
  removedEntries,
  shiftedEntries,
  updatedEntries,
  updatedField,
} from './entry-sql.js';

/**
 * Named queries around an UPDATE of rows of one table. The rows are locked and read first, so that their old values are
 * those that the update replaces, also where it had to wait for another writer. `found` is SQL that finds the id of the
 * only row, where it is not known; with `condition` nothing is read unless it is true.
 */
export function updateEntries(
  text: StatementBuilder,
  journaled: Journaled,
  { resource, rows }: Update,
  written: string,
  { found, condition = 'true' }: { found?: string | undefined; condition?: string | undefined } = {},
) {
  const { model, timestamps } = resource;
  const fields = resource.fields.filter(({ name }) => rows.some(({ values }) => name in values));
  const names = fields.map(({ name }) => name);
  // A statement that changes a line raises its document, too.
  const before = names.length === 0 ? 'document before' : 'before';
  const columns = ['id', ...(timestamps ? ['updatedAt'] : []), ...names].map((name) => `"${name}" AS "old ${name}"`);
  const [first] = rows;
  const ids =
    rows.length === 1 ? `= ${found ?? text.bindColumn(model, 'id', first?.id)}` : text.among(rows.map(({ id }) => id));
  return {
    /** Comes before the UPDATE. */
    before: `"${before}" AS (SELECT ${columns.join(', ')} FROM "${model}" WHERE "id" ${ids} AND ${condition} ORDER BY "id"${text.locked})`,
    /** What the UPDATE adds to its condition. */
    further: { from: `"${before}"`, condition: `"${model}"."id" = "${before}"."old id"` },
    /** The SELECT of the entries of the rows that the UPDATE has returned as `written`. */
    entries: updatedEntries(text, journaled, resource, {
      row: '"written"',
      revision: '"written"."version"',
      // An import may bring an `updatedAt` of any year; the journal has the time at which the change was made.
      at: first?.becomes ? text.typed(journaled.at, 'timestamp(3)') : '"written"."updatedAt"',
      updatedAt: `"${before}"."old updatedAt"`,
      fields: fields.map((field) =>
        updatedField('postgresql', field, `"${before}"."old ${field.name}"`, `"written"."${field.name}"`),
      ),
      from: `${written} AS "written" JOIN "${before}" ON "${before}"."old id" = "written"."id"`,
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
  const { before, further, entries } = updateEntries(text, journaled, update, '"changed"');
  const changed = `"changed" AS (${write(further)} RETURNING "${model}".*)`;
  const time = timestamps ? ', "updatedAt"::text' : '';
  return `WITH ${before}, ${changed}, ${writingEntries(entries)} SELECT "id", "version"${time} FROM "changed"`;
}

/**
 * Returns the ids and versions of the deleted records. Their lines are read as they were when the statement began; if a record
 * has changed since, because the statement waited for another writer, it is not deleted, and the whole mutation is repeated.
 */
export function removeWithEntries(text: StatementBuilder, journaled: Journaled, step: Remove): string {
  const { model, lines } = step.resource;
  const conditions = [removeConditions(text, step), ...(lines.length > 0 ? [isUnchanged(model)] : [])];
  const gone = `"gone" AS (DELETE FROM "${model}" WHERE ${conditions.join(' AND ')} RETURNING *)`;
  const entries = writingEntries(...removedEntries(text, journaled, step, 'gone'));
  return `WITH ${gone}, ${entries} SELECT "id", "version" FROM "gone"`;
}

/** `write` returns the id, position and version of each line after the shift, and so does the whole. */
export function withShiftEntries(text: StatementBuilder, journaled: Journaled, shift: Shift, write: string): string {
  const entries = writingEntries(shiftedEntries(text, journaled, shift, '"moved"', true));
  return `WITH "moved" AS (${write}), ${entries} SELECT "id", "idx", "version" FROM "moved"`;
}

/** `write` has no RETURNING; the whole returns the `idx` if the database finds it. */
export function withInsertEntries(text: StatementBuilder, journaled: Journaled, insert: Insert, write: string): string {
  const created = createdEntries([insert], journaled);
  if (!insert.behind) {
    const lines = journaled.document && {};
    return `WITH ${writingEntries(selectCreated(text, journaled, created, lines))} ${write}`;
  }
  const entries = writingEntries(selectCreated(text, journaled, created, { idx: '"idx"', from: '"line"' }));
  return `WITH "line" AS (${write} RETURNING "idx"), ${entries} SELECT "idx" FROM "line"`;
}
