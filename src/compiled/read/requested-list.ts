/**
 * The list that a request asks for, parsed from its arguments by the rules of the resolvers (`queries.ts`, `page.ts`).
 */
import { Prisma } from '../../generated/sqlite/client.js';
import { defaultPageSize } from '../../model/limits.js';
import type { Resource } from '../../model/resource.js';
import { readCursor } from '../../records/cursor.js';
import { hasLongValues } from '../../records/cursor-record.js';
import type { Where } from '../../records/delegate.js';
import { conditionOf } from '../../records/filter.js';
import { byPosition, rowsBeyond, type SortKeys } from '../../records/keyset.js';
import { listOf } from '../../records/list.js';
import { pageProblems } from '../../records/page.js';
import { keysOf } from '../../records/sort.js';
import { type ArgumentValues, filterArgument, numberArgument, orderOf, textArgument } from '../argument-values.js';
import { NotCompilable } from '../selection.js';

export interface RequestedList {
  /** The condition of the whole list, without cursors. */
  where: Where;
  keys: SortKeys;
  backwards: boolean;
  size: number;
  offset: number;
  /** The conditions of the cursors. */
  bounds: Where[];
  /**
   * Whether rows may exist beyond the edge at which the page starts: before its first row, or after its last if read
   * backwards.
   */
  isOpen: boolean;
  /** The condition for those rows, including the cursor's own row; empty without a cursor. */
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
  };
  if (pageProblems(page).length > 0) return undefined;
  const parentId = textArgument(given, 'parentId');
  const chosen = { where: filterArgument(given, 'where'), orderBy: orderOf(given, 'orderBy') };
  const { where, keys } = standard
    ? { where: conditionOf(resource, chosen.where), keys: keysOf(resource, chosen.orderBy, standard) }
    : listOf(resource, { ...(parentId === undefined ? {} : { parentId }), ...chosen });
  const start = cursorIn(resource, keys, given, 'after');
  const end = cursorIn(resource, keys, given, 'before');
  const backwards = page.last !== null;
  const edge = backwards ? end : start;
  return {
    where,
    keys,
    backwards,
    size: page.last ?? page.first ?? defaultPageSize,
    offset: page.offset,
    bounds: [...(start ? [rowsBeyond(keys, start, false)] : []), ...(end ? [rowsBeyond(keys, end, true)] : [])],
    isOpen: edge !== undefined || (!backwards && page.offset > 0),
    behind: edge ? [rowsBeyond(keys, edge, !backwards, true)] : [],
  };
}

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
