import type { Database } from '../database/open-database.js';
import { boundedMark } from '../database/sqlite/sqlite-bounded-reads.js';
import { createIds } from '../model/ids.js';
import type { Resource } from '../model/resource.js';

/** One sequence for the whole process, however many databases it serves. */
export const ids = createIds();

/** Continues after the newest stored ids, so that new records sort last even if the clock was set back. */
export async function continueIds({ client }: Pick<Database, 'client'>, resources: readonly Resource[]): Promise<void> {
  const newest = await client.$queryRawUnsafe<{ id: string | null }[]>(`${newestIds(resources)} ${boundedMark}`);
  for (const { id } of newest) if (id !== null) ids.startAfter(id);
}

/** One statement that reads the end of each primary key, so that it does not slow down the start. */
const newestIds = (resources: readonly Resource[]): string =>
  resources
    .filter(({ kind }) => kind !== 'singleton')
    .map(({ model }) => `SELECT max("id") AS "id" FROM "${model}"`)
    .join(' UNION ALL ');
