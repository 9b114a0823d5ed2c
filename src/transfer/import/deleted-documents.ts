/**
 * Which documents were deleted here: one that came back under its id would have the same versions twice in its history.
 */

import type { ChangeContext } from '../../records/change/change-context.js';
import { StatementBuilder } from '../../records/change/statements/statement-builder.js';
import type { Procedure } from '../../work.js';
import type { ImportDocument } from './import-item.js';

/**
 * The ids, among those of documents that are not there, of which the journal knows. Lines of a record that is not stored here
 * may name any id as that of their parent: the journal holds them under a document without a type.
 */
export function* deletedDocuments(
  { provider }: ChangeContext,
  absent: readonly ImportDocument[],
): Procedure<ReadonlySet<string>> {
  const ids = absent.flatMap(({ resource, values: { id } }) =>
    resource.kind !== 'child' && typeof id === 'string' ? [id] : [],
  );
  if (ids.length === 0) return new Set();
  const text = new StatementBuilder(provider);
  const sql = `SELECT DISTINCT "documentId" FROM "JournalEntry"
    WHERE "documentId" ${text.among(ids)} AND "documentModel" IS NOT NULL`;
  return new Set((yield text.statement(sql)).map(([id]) => String(id)));
}
