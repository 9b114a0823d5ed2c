import type { Database } from '../../database/open-database.js';
import { rowsOf } from '../../journal/entries-sql.js';
import { isIdOf, type Resource } from '../../model/resource.js';

/** The document of a line that is there; undefined for any other, which the journal finds only by its document. */
export async function documentOfLine(
  database: Pick<Database, 'provider' | 'read' | 'perform'>,
  { model, parents }: Resource,
  id: string,
): Promise<{ resource: Resource; id: string } | undefined> {
  for (const { resource, reference } of parents) {
    const [[parent] = []] = await rowsOf(database, `SELECT "${reference}" FROM "${model}" WHERE "id" = ?`, [id]);
    if (typeof parent === 'string' && isIdOf(resource, parent)) return { resource, id: parent };
  }
  return undefined;
}
