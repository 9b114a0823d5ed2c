import type { SeenDatabase } from '../database/open-database.js';
import { Prisma } from '../generated/sqlite/client.js';
import { largestInt32 } from '../model/field.js';
import { isIdOf, isShortSql, type Lines, type Link, type Resource } from '../model/resource.js';
import { allOf, equals } from './condition.js';
import { type Client, delegate, type Load, type SelectedRecord } from './delegate.js';
import { conditionOf, type Filter } from './filter.js';
import { byPosition, idsBySql, keysOf, type OrderBy } from './list.js';

/** The record with the id, or null. Ids of other record types find nothing. */
export function readOne(
  { database }: { database: SeenDatabase },
  resource: Resource,
  id: string,
  selection: Load,
): Promise<SelectedRecord | null> {
  return delegate(database.client, resource).findUnique({ ...selection, where: { id } });
}

/** The records in the given order; missing ones are left out. */
export async function readMany(
  client: Client,
  resource: Resource,
  ids: readonly string[],
  selection: Load,
): Promise<SelectedRecord[]> {
  const select = { ...selection.select, id: true };
  const rows = await delegate(client, resource).findMany({
    where: { id: { in: [...ids] } },
    select,
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The arguments of lines within their record. */
interface LinesArguments {
  where?: Filter | null;
  orderBy?: readonly OrderBy[] | null;
  limit?: number | null;
  offset?: number | null;
}

/** The lines of one record, found by SQL, for conditions that Prisma does not take. */
export async function readLines(
  { database: { client } }: { database: SeenDatabase },
  { resource, reference }: Lines,
  id: string,
  { where, orderBy, limit, offset }: LinesArguments,
  selection: Load,
): Promise<SelectedRecord[]> {
  const found = await idsBySql(client, resource, {
    where: allOf(equals(reference, id), conditionOf(resource, where)),
    keys: keysOf(resource, orderBy, byPosition),
    backwards: false,
    take: limit ?? largestInt32,
    skip: offset ?? 0,
  });
  const ids = found.map((line) => line.id);
  return readMany(client, resource, ids, selection);
}

/** The records that texts name by a link, by their texts; those that name nothing are left out. */
export async function readLinked(
  { database: { client } }: { database: SeenDatabase },
  { resource, by }: Link,
  texts: readonly string[],
  selection: Load,
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
  const textOf = new Map(newest.map(({ text, id }) => [id, text]));
  const records = await readMany(client, resource, [...textOf.keys()], selection);
  return new Map(records.map((record) => [String(textOf.get(record.id)), record]));
}
