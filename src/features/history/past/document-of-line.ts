import { rowsOf } from '../../../change/journal/entries-sql.js';
import type { Database } from '../../../database/open-database.js';
import type { Resource } from '../../../model/resource.js';

/**
 * The document of a line, or the one that it was deleted from, alone or with the document. Undefined if the journal no longer
 * has the deletion, or if the parent is not stored here.
 */
export async function documentOfLine(
  database: Pick<Database, 'provider' | 'read' | 'perform'>,
  { model, parents }: Resource,
  id: string,
): Promise<{ resource: Resource; id: string } | undefined> {
  const present = parents.map(
    ({ resource, reference }) => `SELECT '${resource.model}', "${reference}" FROM "${model}" WHERE "id" = ?`,
  );
  // These conditions are those of the index `gateway_journal_removed_line`.
  const removed = `SELECT "documentModel", "documentId" FROM "JournalEntry"
    WHERE "recordId" = ? AND "action" = 'delete' AND "recordId" <> "documentId" ORDER BY "entry" DESC LIMIT 1`;
  const sql = [...present, `SELECT * FROM (${removed}) AS "removed"`].join(' UNION ALL ');
  const values = [...present.map(() => id), id];
  for (const [type, document] of await rowsOf(database, sql, values)) {
    const parent = parents.find(({ resource }) => resource.model === type);
    if (parent && typeof document === 'string') return { resource: parent.resource, id: document };
  }
  return undefined;
}
