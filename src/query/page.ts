/**
 * A page of an ordered list: by cursor, by offset, from either end. Nothing is read before it is needed: the total
 * costs no rows, and rows cost no count.
 */
import { once } from '../common/kept.js';
import type { SeenDatabase } from '../database/open-database.js';
import { Prisma } from '../generated/sqlite/client.js';
import { errors } from '../model/errors/errors.js';
import { largestInt32 } from '../model/field.js';
import { defaultPageSize } from '../model/limits.js';
import type { Resource } from '../model/resource.js';
import { type ArgumentValues, NotCompilable } from '../model/selection.js';
import { inputArgument, numberArgument, orderOf, textArgument } from './arguments.js';
import { allOf, type Condition, isEverything, isForSql } from './condition.js';
import {
  type Cursors,
  currentPosition,
  cursorOf,
  hasLongValues,
  lookedUp,
  needsSql,
  readCursor,
  refuseChanged,
  rowPosition,
} from './cursor.js';
import { delegate, type Load, type SelectedRecord, whereOf } from './delegate.js';
import {
  byPosition,
  countBySql,
  idsBySql,
  type Listed,
  listOf,
  prismaOrderOf,
  type Range,
  rowsBeyond,
  type SortKeys,
} from './list.js';
import { readMany } from './read.js';

/** `Row` is what the database returns, a record or a row of a list of the gateway's own. */
export interface Page<Row = SelectedRecord> {
  cursor(row: Row): string;
  rows(): Promise<Row[]>;
  total(): Promise<number>;
  hasNextPage(): Promise<boolean>;
  hasPreviousPage(): Promise<boolean>;
}

/** A list of which `pageIn` takes a page. */
export interface PagedList<Found, Row> {
  cursor(row: Row): string;
  /** Rows between the cursors, or what finds them, in the order in which the page is read. */
  find(take: number, skip: number): Promise<Found[]>;
  /** The rows of what was found; undefined for one that is gone in the meantime, which makes the page shorter. */
  load(found: Found[]): Promise<(Row | undefined)[]>;
  /** Whether there are rows beyond the first one that was read, against the order in which the page is read. */
  goesOn(edge: Row | undefined): Promise<boolean>;
  count(): Promise<number>;
}

/** A page by Relay's arguments. @throws BAD_USER_INPUT for `offset` together with `last` */
export function pageIn<Found, Row>(
  given: PageArguments,
  listOfExtent: (extent: Extent) => PagedList<Found, Row>,
): Page<Row> {
  refusePageProblems(given);
  const extent = extentOf(given);
  const { backwards, size, head, isOpen } = extent;
  const list = listOfExtent(extent);
  /** The rows of the page and the next one. */
  const read = once(async () => {
    const found = await list.find((head ?? size) + 1, given.offset ?? 0);
    return { rows: await list.load(endOf(found, extent)), isLed: found.length > size };
  });
  const more = async () => (await read()).rows.length > size;
  /** Whether rows exist beyond the edge at which the page starts. */
  const goesOn = async () => {
    if (!isOpen) return head !== undefined && (await read()).isLed;
    // An empty page (`first: 0`) has an edge too, so the edge is taken from the rows that were read, not from the page.
    return list.goesOn((await read()).rows.find((row) => row !== undefined));
  };
  return {
    cursor: list.cursor,
    async rows() {
      const page = (await read()).rows.slice(0, size).flatMap((row) => (row === undefined ? [] : [row]));
      return backwards ? page.reverse() : page;
    },
    total: once(list.count),
    hasNextPage: backwards ? goesOn : more,
    hasPreviousPage: backwards ? more : goesOn,
  };
}

/**
 * @throws BAD_USER_INPUT for cursors of another list, or whose record is needed and gone; or for `offset` together with
 * `last`
 */
export async function pageOf(
  { database }: { database: SeenDatabase },
  resource: Resource,
  request: { where: Condition; keys: SortKeys; selection: Load; arguments: PageArguments },
): Promise<Page> {
  const { where, keys, selection, arguments: given } = request;
  const { client } = database;
  const model = delegate(client, resource);
  const cursors = cursorsIn(resource, keys, given);
  const isSqlOnly = isForSql(where);
  const isBySql = isSqlOnly || [cursors.after, cursors.before].some((cursor) => cursor && hasLongValues(cursor));
  const positionAt = async (argument: 'after' | 'before') => {
    const cursor = cursors[argument];
    if (!cursor) return undefined;
    return lookedUp(resource, keys, { position: await currentPosition(model, keys, cursor, argument), id: cursor.id });
  };
  /** Rows with these columns; only their ids if SQL finds them. */
  const rowsIn = (range: Range, bySql: boolean, select: object) => {
    if (bySql) return idsBySql(client, resource, range);
    const { backwards, take, skip } = range;
    const orderBy = prismaOrderOf(keys, backwards);
    return model.findMany({ where: whereOf(range.where), orderBy, take, skip, select });
  };

  const page = pageIn<SelectedRecord, SelectedRecord>(given, ({ backwards, head }) => {
    const select = { ...selection.select, ...Object.fromEntries(keys.map(({ field }) => [field, true])) };
    // Lines are numbered 1…n within their parent, so for all lines of a parent an offset is a position.
    const isPlaced = keys === byPosition && isOfParent(resource, where);
    // Skips rows in the index only, and then fetches the records of the page.
    const isInTwo = isBySql || head !== undefined || (!isPlaced && (given.offset ?? 0) >= deepOffset);
    return {
      cursor: (row) => cursorOf(keys, row),
      async find(take, skip) {
        const [from, to] = [await positionAt('after'), await positionAt('before')];
        const bounds = [where];
        if (from) bounds.push(rowsBeyond(keys, from, false));
        if (to) bounds.push(rowsBeyond(keys, to, true));
        if (isPlaced && skip > 0) {
          bounds.push(rowsBeyond(keys, [Math.min(Number(from?.[0] ?? 0) + skip, largestInt32)], false));
        }
        const range = { where: allOf(...bounds), keys, backwards, take, skip: isPlaced ? 0 : skip };
        return rowsIn(range, isBySql, isInTwo ? { id: true } : select);
      },
      async load(found) {
        const ids = found.map(({ id }) => id);
        return isInTwo ? readMany(client, resource, ids, { select }) : found;
      },
      async goesOn(edge) {
        const position = edge && rowPosition(resource, keys, edge);
        const rest = position ? allOf(where, rowsBeyond(keys, position, !backwards)) : where;
        // The order makes PostgreSQL use the index instead of scanning the table from its start.
        const range = { where: rest, keys, backwards: !backwards, take: 1, skip: 0 };
        return (await rowsIn(range, isSqlOnly || needsSql(position ?? []), { id: true })).length > 0;
      },
      count: () => totalOf({ database }, resource, where),
    };
  });
  await refuseChanged(database, resource, keys, cursors, page.rows);
  return page;
}

/** The cursors of a page. @throws BAD_USER_INPUT for one of another list, or for `offset` together with `last` */
export function cursorsIn(resource: Resource, keys: SortKeys, given: PageArguments): Cursors {
  refusePageProblems(given);
  const cursorAt = (argument: 'after' | 'before') => {
    const cursor = given[argument];
    return cursor == null ? undefined : readCursor(resource, keys, cursor, argument);
  };
  return { after: cursorAt('after'), before: cursorAt('before') };
}

/** From this offset on, two statements (ids, then records) are cheaper than one. */
const deepOffset = 200;

/** Whether the condition selects all lines of a parent. */
export const isOfParent = ({ scope }: Resource, where: Condition): boolean =>
  where.kind === 'compare' && where.field === scope;

/** Whether arguments are given together that exclude each other; the range of each is checked with the arguments. */
const isOfBothEnds = ({ last, offset }: PageArguments): boolean => Boolean(offset) && last != null;

/** @throws BAD_USER_INPUT */
export function refusePageProblems(given: PageArguments): void {
  if (isOfBothEnds(given))
    throw errors.invalidAt(['offset'], 'counts from the start; it cannot be combined with `last`');
}

/**
 * The number of records. A whole list is not counted: the database maintains its number (`RecordCount`), so the cost
 * does not depend on the table's size.
 */
export async function totalOf(
  { database: { client } }: { database: SeenDatabase },
  resource: Resource,
  where: Condition,
): Promise<number> {
  if (!isWholeList(resource, where)) return countBySql(client, resource, where);
  const [row] = await client.$queryRaw<{ count: unknown }[]>`${Prisma.raw(wholeCountSql(resource))}`;
  return Number(row?.count ?? 0);
}

/** Reads the number of all records of a type. It names the type in the text, by which views of a caller count anew. */
export const wholeCountSql = ({ model }: Pick<Resource, 'model'>): string =>
  `SELECT sum("count") AS "count" FROM "RecordCount" WHERE "model" = '${model}'`;

/** Whether the condition selects all records of a type that is counted by triggers. */
export const isWholeList = ({ kind }: Resource, where: Condition): boolean =>
  kind === 'resource' && isEverything(where);

// Which rows of those between the cursors are a page, as Relay's cursor specification says.

/** Relay's arguments, and `offset`, the number of rows to skip. */
export interface PageArguments {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  offset?: number | null;
}

export interface Extent {
  /** Whether the page is read from the end. */
  backwards: boolean;
  size: number;
  /** The number of first rows of which the page is the end, by `first` with a smaller `last`. */
  head: number | undefined;
  /** Whether rows may exist beyond the edge from which the page is read: before its first row, or after its last. */
  isOpen: boolean;
}

export function extentOf({ first, after, last, before, offset }: PageArguments): Extent {
  const size = Math.min(first ?? last ?? defaultPageSize, last ?? Number.POSITIVE_INFINITY);
  if (first != null && last != null) {
    return { backwards: false, size, head: last < first ? first : undefined, isOpen: false };
  }
  // An offset counts from the start, and so does a page without `last` that has both cursors.
  const endsAtCursor = before != null && after == null && !offset;
  const backwards = first == null && (last != null || endsAtCursor);
  return { backwards, size, head: undefined, isOpen: backwards ? before != null : after != null || Boolean(offset) };
}

/** The rows of the page and the next one, among the first ones and the next one. */
const endOf = <Row>(rows: readonly Row[], { head = 0, size }: Extent): Row[] =>
  rows.slice(Math.max(Math.min(rows.length, head) - size, 0));

/**
 * The list that a request asks for, parsed from its arguments by the rules of the resolvers (`queries.ts`, `page.ts`).
 */
export interface RequestedList extends Extent, Listed {
  offset: number;
  /** The conditions of the cursors. */
  bounds: Condition[];
  /** The condition for rows beyond the edge from which the page is read, with the cursor's own row; empty without a cursor. */
  behind: Condition[];
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
  if (isOfBothEnds(page)) return undefined;
  const { where, linked, keys } = listIn(resource, given, standard);
  const start = cursorIn(resource, keys, given, 'after');
  const end = cursorIn(resource, keys, given, 'before');
  const extent = extentOf(page);
  const edge = extent.backwards ? end : start;
  return {
    where,
    linked,
    keys,
    // Only one: a second object spread takes V8 six times as long as all the rest here.
    ...extent,
    offset: page.offset,
    bounds: [...(start ? [rowsBeyond(keys, start, false)] : []), ...(end ? [rowsBeyond(keys, end, true)] : [])],
    behind: edge ? [rowsBeyond(keys, edge, !extent.backwards, true)] : [],
  };
}

/** The list without its pages. */
export const listIn = (resource: Resource, given: ArgumentValues, standard?: SortKeys): Listed =>
  listOf(
    resource,
    {
      parentId: textArgument(given, 'parentId'),
      where: inputArgument(given, 'where'),
      orderBy: orderOf(given, 'orderBy'),
    },
    standard,
  );

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
