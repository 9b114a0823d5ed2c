/** Lines that come back under the ids they had before they were deleted. */

import type { Procedure } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { StatementBuilder } from '../statements/statement-builder.js';
import type { Insert } from '../step.js';

/**
 * Raises the versions of lines that the journal knows as deleted from this document above those they had: an ETag names a
 * version, and must never name two contents.
 */
export function* raiseAboveDeleted(provider: Provider, documentId: string, rows: Insert['rows']): Procedure<void> {
  if (rows.length === 0) return;
  const text = new StatementBuilder(provider);
  const sql = `SELECT "recordId", max("version") FROM "JournalEntry" WHERE "documentId" = ${text.bind(documentId)}
    AND "action" = 'delete' AND "recordId" ${text.among(rows.map(({ id }) => id))} GROUP BY "recordId"`;
  const last = new Map((yield text.statement(sql)).map(([id, version]) => [String(id), Number(version)]));
  for (const row of rows) row.version = Math.max(Number(row.version), (last.get(row.id) ?? 0) + 1);
}
