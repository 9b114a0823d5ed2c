import type { OpenedDatabase } from '../database/open-database.js';
import { createIds } from '../model/ids.js';
import type { Resource } from '../model/resource.js';

/** One sequence for the whole process, however many databases it serves. */
export const ids = createIds();

/** Continues after the newest stored ids, so that new records sort last even if the clock was set back. */
export async function continueIds(
  { read }: Pick<OpenedDatabase, 'read'>,
  resources: readonly Resource[],
): Promise<void> {
  for (const [id] of await read(newestIds(resources), [], 'bounded')) if (typeof id === 'string') ids.startAfter(id);
}

/** One statement that reads the end of each primary key, so that it does not slow down the start. */
const newestIds = (resources: readonly Resource[]): string =>
  resources
    .filter(({ kind }) => kind !== 'singleton')
    .map(({ model }) => `SELECT max("id") AS "id" FROM "${model}"`)
    .join(' UNION ALL ');
