/**
 * An UPDATE on PostgreSQL that also writes its entries: the rows are locked and read first, so that their old values are
 * those that the update replaces, also where it had to wait for another writer.
 */
import { quoted, type StatementBuilder } from '../statements/statement-builder.js';
import type { Further, Update } from '../statements/update.js';
import { changesSql, timeJson } from './changes-sql.js';
import { insertEntries, selectEntries } from './entry-sql.js';
import { type Journaled, lineSource } from './journaled.js';
import { actionSql, fieldsWritten } from './update-fields.js';

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
