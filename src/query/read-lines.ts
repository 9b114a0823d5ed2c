import type { RequestContext } from '../change/context.js';
import type { Lines } from '../model/resource.js';
import { largestInt32 } from '../model/storable.js';
import type { SelectedRecord, Selection } from './delegate.js';
import { type Filter, whereOf } from './filter.js';
import { byPosition } from './keyset.js';
import { idsBySql } from './list-sql.js';
import { readMany } from './read.js';
import { keysOf, type OrderBy } from './sort.js';

/** The arguments of lines within their record. */
export interface LinesArguments {
  where?: Filter | null;
  orderBy?: readonly OrderBy[] | null;
  limit?: number | null;
  offset?: number | null;
}

/** The lines of one record, found by SQL, for conditions that Prisma does not take. */
export async function readLines(
  { database: { client } }: Pick<RequestContext, 'database'>,
  { resource, reference }: Lines,
  id: string,
  { where, orderBy, limit, offset }: LinesArguments,
  selection: Selection,
): Promise<SelectedRecord[]> {
  const found = await idsBySql(client, resource, {
    where: { AND: [{ [reference]: id }, where ? whereOf(resource, where) : {}] },
    keys: keysOf(resource, orderBy, byPosition),
    backwards: false,
    take: limit ?? largestInt32,
    skip: offset ?? 0,
  });
  return readMany(
    client,
    resource,
    found.map(({ id: line }) => line),
    selection,
  );
}
