/**
 * Which documents were deleted here: one that came back under its id would have the same versions twice in its history.
 */

import type { ChangeContext } from '../../../change/change-context.js';
import { StatementBuilder } from '../../../change/statements/statement-builder.js';
import type { Procedure } from '../../../common/work.js';
import { type ImportDocument, idsIn } from './import-item.js';

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

/**
 * The deleted documents that had lines with the ids of theirs, by the ids of the lines. In another document such a line would have
 * the same ids of states of the past (`src/model/past-id.ts`) as it had in that one. A line may go from one document that is there
 * to another one.
 */
export function* formerDocuments(
  { provider }: ChangeContext,
  documents: readonly ImportDocument[],
): Procedure<ReadonlyMap<string, string>> {
  const ids = documents.flatMap((document) => {
    return Array.from(idsIn(document)).flatMap(([resource, id]) => (resource === document.resource ? [] : [id]));
  });
  if (ids.length === 0) return new Map();
  const text = new StatementBuilder(provider);
  // The last two conditions are those of the index `gateway_journal_removed_line`.
  const sql = `SELECT "recordId", "documentId" FROM "JournalEntry" WHERE "recordId" ${text.among(ids)}
    AND "documentModel" IS NOT NULL AND "action" = 'delete' AND "recordId" <> "documentId"
    AND EXISTS (SELECT 1 FROM "JournalEntry" AS "whole" WHERE "whole"."documentId" = "JournalEntry"."documentId"
      AND "whole"."recordId" = "whole"."documentId" AND "whole"."action" = 'delete') ORDER BY "entry"`;
  return new Map((yield text.statement(sql)).map(([id, document]) => [String(id), String(document)]));
}
