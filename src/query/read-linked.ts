import type { RequestContext } from '../change/context.js';
import { Prisma } from '../generated/sqlite/client.js';
import { isShortSql } from '../model/links.js';
import { isIdOf, type Link } from '../model/resource.js';
import type { SelectedRecord, Selection } from './delegate.js';
import { readMany } from './read.js';

/** The records that texts name by a link, by their texts; those that name nothing are left out. */
export async function readLinked(
  { database: { client } }: Pick<RequestContext, 'database'>,
  { resource, by }: Link,
  texts: readonly string[],
  selection: Selection,
): Promise<Map<string, SelectedRecord>> {
  if (by === 'id') {
    const ids = texts.filter((text) => isIdOf(resource, text));
    const records = ids.length > 0 ? await readMany(client, resource, ids, selection) : [];
    return new Map(records.map((record) => [record.id, record]));
  }
  const column = Prisma.raw(`"${by}"`);
  const newest = await client.$queryRaw<{ text: string; id: string }[]>`
    SELECT ${column} AS "text", max("id") AS "id" FROM ${Prisma.raw(`"${resource.model}"`)}
    WHERE ${column} IN (${Prisma.join([...texts])}) AND ${Prisma.raw(isShortSql(`"${by}"`))} GROUP BY ${column}`;
  const records = await readMany(
    client,
    resource,
    newest.map(({ id }) => id),
    selection,
  );
  const byId = new Map(records.map((record) => [record.id, record]));
  const found = new Map<string, SelectedRecord>();
  for (const { text, id } of newest) {
    const record = byId.get(id);
    if (record) found.set(text, record);
  }
  return found;
}
