import type { Database } from '../database/open.js';
import { createIds } from '../model/ids.js';
import { resources } from '../model/resource.js';
import { delegate } from './delegate.js';

/** One sequence for the process, whatever the number of databases it serves. */
export const ids = createIds();

/** Continues behind the newest stored ids, so that new records stay newest also after the clock was set back. */
export async function continueIds({ client }: Pick<Database, 'client'>): Promise<void> {
  const newest = await Promise.all(
    resources
      .filter(({ kind }) => kind !== 'singleton')
      .map((resource) => delegate(client, resource).findFirst({ select: { id: true }, orderBy: [{ id: 'desc' }] })),
  );
  for (const row of newest) if (row) ids.startAfter(row.id);
}
