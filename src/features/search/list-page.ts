import type { RequestContext } from '../../change/context.js';
import { Prisma } from '../../generated/sqlite/client.js';
import type { Resource } from '../../model/resource.js';
import { type Ground, groundOf } from '../../query/condition.js';
import { lookedUp, refuseChanged, rowPosition } from '../../query/cursor.js';
import type { Load } from '../../query/delegate.js';
import { type ListRequest, listOf, newestFirst } from '../../query/list.js';
import { cursorsIn, type Page, type PageArguments } from '../../query/page.js';
import { readMany } from '../../query/read.js';
import { foundPage } from './search-all.js';
import { byRank, foundSql, rankColumn, rarestFirst } from './search-sql.js';

interface Request extends Omit<ListRequest, 'parentId'> {
  words: readonly string[];
  selection: Load;
  arguments: PageArguments;
}

/**
 * A page of the records of a type that have all these words: SQL finds the ids, and Prisma reads the records.
 * @throws BAD_USER_INPUT like `pageOf`
 */
export async function searchedList(
  context: Pick<RequestContext, 'database'>,
  resource: Resource,
  { words, where: filter, orderBy, selection, arguments: given }: Request,
): Promise<Page> {
  const { database } = context;
  const ordered = await rarestFirst(context, [resource], words, 'search');
  // The best first, and equals newest first, unless ordered otherwise.
  const { where, keys } = listOf(resource, { where: filter, orderBy }, [byRank(words), ...newestFirst]);
  const cursors = cursorsIn(resource, keys, given);
  const sorted = keys.map(({ field }) => field).filter((field) => field !== rankColumn);
  const select = { ...selection.select, ...Object.fromEntries(sorted.map((field) => [field, true])) };
  const page = foundPage(database, {
    from: Prisma.sql`FROM ${Prisma.raw(`"${resource.model}"`)} AS t0
      JOIN (${foundSql([resource], ordered)}) AS s ON s."id" = t0."id"`,
    columns: searchedGround(),
    where,
    keys,
    arguments: given,
    after: cursors.after && lookedUp(resource, keys, cursors.after),
    before: cursors.before && lookedUp(resource, keys, cursors.before),
    positionOf: (row) => rowPosition(resource, keys, row),
    read: (ids) => readMany(database.client, resource, ids, { select }),
  });
  await refuseChanged(database, resource, keys, cursors, page.rows);
  return page;
}

/** The columns of the record, and the rank. */
function searchedGround(): Ground {
  const records = groundOf();
  const rank = groundOf('s').column(rankColumn);
  return { ...records, column: (name) => (name === rankColumn ? rank : records.column(name)) };
}
