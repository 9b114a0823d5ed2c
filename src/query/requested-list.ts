/**
 * The list that a request asks for, parsed from its arguments by the rules of the resolvers (`queries.ts`, `page.ts`).
 */
import { Prisma } from '../generated/sqlite/client.js';
import type { Resource } from '../model/resource.js';
import { type ArgumentValues, NotCompilable } from '../model/selection.js';
import { filterArgument, numberArgument, orderOf, textArgument } from './arguments.js';
import { hasLongValues, readCursor } from './cursor.js';
import type { Where } from './delegate.js';
import { conditionOf } from './filter.js';
import { byPosition, keysOf, rowsBeyond, type SortKeys } from './keyset.js';
import { listOf } from './list-sql.js';
import { type Extent, extentOf, pageProblems } from './page.js';

export interface RequestedList extends Extent {
  /** The condition of the whole list, without cursors. */
  where: Where;
  keys: SortKeys;
  offset: number;
  /** The conditions of the cursors. */
  bounds: Where[];
  /** The condition for rows beyond the edge from which the page is read, with the cursor's own row; empty without a cursor. */
  behind: Where[];
}

/**
 * Undefined for arguments that the resolvers refuse. `standard` is the order of a list within a record; its rows are found by
 * that record. @throws for a cursor of another list, like the resolvers
 */
export function requestedList(
  resource: Resource,
  given: ArgumentValues,
  standard?: SortKeys,
): RequestedList | undefined {
  const page = {
    first: numberArgument(given, 'first') ?? null,
    last: numberArgument(given, 'last') ?? null,
    offset: numberArgument(given, 'offset') ?? 0,
    after: textArgument(given, 'after') ?? null,
    before: textArgument(given, 'before') ?? null,
  };
  if (pageProblems(page).length > 0) return undefined;
  const parentId = textArgument(given, 'parentId');
  const chosen = { where: filterArgument(given, 'where'), orderBy: orderOf(given, 'orderBy') };
  const { where, keys } = standard
    ? { where: conditionOf(resource, chosen.where), keys: keysOf(resource, chosen.orderBy, standard) }
    : listOf(resource, { ...(parentId === undefined ? {} : { parentId }), ...chosen });
  const start = cursorIn(resource, keys, given, 'after');
  const end = cursorIn(resource, keys, given, 'before');
  const extent = extentOf(page);
  const edge = extent.backwards ? end : start;
  return {
    where,
    keys,
    ...extent,
    offset: page.offset,
    bounds: [...(start ? [rowsBeyond(keys, start, false)] : []), ...(end ? [rowsBeyond(keys, end, true)] : [])],
    behind: edge ? [rowsBeyond(keys, edge, !extent.backwards, true)] : [],
  };
}

/** What follows OFFSET; `rows` are those between the cursors in their order, from FROM on. */
export const skippedSql = ({ head, size, offset }: RequestedList, rows: Prisma.Sql): Prisma.Sql =>
  head === undefined
    ? Prisma.sql`${offset}`
    : Prisma.sql`(SELECT CASE WHEN count(*) > ${size} THEN count(*) - ${size} ELSE 0 END
        FROM (SELECT 1 ${rows} LIMIT ${head}) AS head)`;

/**
 * The position of a cursor. A line's current position is looked up within the statement, as `currentPosition` does for
 * the resolvers.
 */
function cursorIn(
  resource: Resource,
  keys: SortKeys,
  given: ArgumentValues,
  argument: 'after' | 'before',
): readonly unknown[] | undefined {
  const cursor = textArgument(given, argument);
  if (cursor === undefined) return undefined;
  const read = readCursor(resource, keys, cursor, argument);
  // The texts of its record have to be checked against the cursor too; the resolvers do that.
  if (hasLongValues(read)) throw new NotCompilable();
  const { position, id } = read;
  if (keys !== byPosition) return position;
  const table = Prisma.raw(`"${resource.model}"`);
  const whereGone = Number(position[0]) - (argument === 'after' ? 1 : 0);
  return [Prisma.sql`coalesce((SELECT "idx" FROM ${table} WHERE "id" = ${id}), ${whereGone})`];
}
