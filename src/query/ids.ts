import type { OpenedDatabase } from '../database/open-database.js';
import { createIds, firstIdOf } from '../model/ids.js';
import type { Resource } from '../model/resource.js';

/** One sequence for the whole process, however many databases it serves. */
export const ids = createIds();

/** Milliseconds, a little more than a day: a clock that is set back by a day must not put new records before older ones. */
const mostFollowed = 25 * 60 * 60 * 1000;

/**
 * Continues after the newest stored ids, so that new records sort last even if the clock was set back. Ids of the far
 * future are not followed: all later ones would have their time.
 */
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
    .map(({ model, slug }) => {
      const last = firstIdOf(slug, Date.now() + mostFollowed);
      return `SELECT max("id") AS "id" FROM "${model}" WHERE "id" < '${last}'`;
    })
    .join(' UNION ALL ');
