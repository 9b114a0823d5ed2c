/** New and moved lines on PostgreSQL, with their entries in the same statement. */

import type { StatementBuilder } from '../statements/statement-builder.js';
import type { Insert, Shift } from '../step.js';
import { createdEntries, selectCreated } from './created-entries.js';
import { insertEntries, selectEntries } from './entry-sql.js';
import { type Journaled, lineSource } from './journaled.js';

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
