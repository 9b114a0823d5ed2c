/**
 * A page of an ordered list: by cursor, by offset, from either end. Nothing is read before it is needed: the total
 * costs no rows, and rows cost no count.
 */
import type { Database } from '../database/open-database.js';
import { Prisma } from '../generated/sqlite/client.js';
import { errors } from '../model/errors/errors.js';
import { invalid, type Problem } from '../model/errors/problem.js';
import { largestInt32 } from '../model/field.js';
import { defaultPageSize } from '../model/limits.js';
import type { Resource } from '../model/resource.js';
import { type ArgumentValues, NotCompilable } from '../model/selection.js';
import { filterArgument, numberArgument, orderOf, textArgument } from './arguments.js';
import { allOf, type Condition, isEverything, isForSql } from './condition.js';
import {
  type Cursor,
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
  rowsBeyond,
  type SortKeys,
} from './list.js';

export interface Page {
  cursor(row: SelectedRecord): string;
  rows(): Promise<SelectedRecord[]>;
  total(): Promise<number>;
  hasNextPage(): Promise<boolean>;
  hasPreviousPage(): Promise<boolean>;
}

/**
 * @throws BAD_USER_INPUT for cursors of another list, or whose record is needed and gone; or for `offset` together with
 * `last`
 */
export async function pageOf(
  context: { database: Database },
  resource: Resource,
  request: { where: Condition; keys: SortKeys; selection: Load; arguments: PageArguments },
): Promise<Page> {
  const { where, keys, selection } = request;
  const { after, before, offset } = request.arguments;
  refusePageProblems(request.arguments);
  const extent = extentOf(request.arguments);
  const { backwards, size, head } = extent;
  const model = delegate(context.database.client, resource);
  const cursorAt = (cursor: string | null | undefined, argument: 'after' | 'before') =>
    cursor == null ? undefined : readCursor(resource, keys, cursor, argument);
  const start = cursorAt(after, 'after');
  const end = cursorAt(before, 'before');
  const positionAt = async (cursor: Cursor, argument: 'after' | 'before') => {
    const position = await currentPosition(model, keys, cursor, argument);
    return lookedUp(resource, keys, { position, id: cursor.id });
  };

  const isSqlOnly = isForSql(where);
  const orderBy = prismaOrderOf(keys, backwards);
  const select = { ...selection.select, ...Object.fromEntries(keys.map(({ field }) => [field, true])) };
  const read = lazy(async () => {
    const bounds = [where];
    const from = start && (await positionAt(start, 'after'));
    const to = end && (await positionAt(end, 'before'));
    if (from) bounds.push(rowsBeyond(keys, from, false));
    if (to) bounds.push(rowsBeyond(keys, to, true));
    const skip = isByPosition(keys, where, resource) ? boundByOffset(bounds, keys, from, offset ?? 0) : (offset ?? 0);
    const take = (head ?? size) + 1;
    const condition = allOf(...bounds);
    const isBySql = isSqlOnly || needsSql([...(from ?? []), ...(to ?? [])]);
    const range = () => ({ where: whereOf(condition), orderBy, take, skip });
    if (skip < deepOffset && !isBySql && !head)
      return { found: await model.findMany({ ...range(), select }), isLed: false };
    // Skips rows in the index only, and then fetches the records of the page.
    const ids = isBySql
      ? await idsBySql(context.database.client, resource, { where: condition, keys, backwards, take, skip })
      : await model.findMany({ ...range(), select: { id: true } });
    const ofPage = endOf(ids, extent).map(({ id }) => id);
    const found = await model.findMany({ where: { id: { in: ofPage } }, orderBy, select });
    return { found, isLed: head !== undefined && ids.length > size };
  });
  const rows = async () => {
    const page = (await read()).found.slice(0, size);
    return backwards ? page.reverse() : page;
  };
  const more = async () => (await read()).found.length > size;

  /** Whether rows exist beyond the edge at which the page starts. */
  const goesOn = async () => {
    const towardsStart = !backwards;
    if (!extent.isOpen) return head !== undefined && (await read()).isLed;
    // An empty page (`first: 0`) has an edge too, so the edge is taken from the rows that were read, not from the page.
    const [edge] = (await read()).found;
    const position = edge && rowPosition(resource, keys, edge);
    const rest = position ? allOf(where, rowsBeyond(keys, position, towardsStart)) : where;
    if (isSqlOnly || (position && needsSql(position))) {
      const list = { where: rest, keys, backwards: towardsStart, take: 1, skip: 0 };
      return (await idsBySql(context.database.client, resource, list)).length > 0;
    }
    // The order makes PostgreSQL use the index instead of scanning the table from its start.
    return (
      (await model.findFirst({
        where: whereOf(rest),
        orderBy: prismaOrderOf(keys, towardsStart),
        select: { id: true },
      })) !== null
    );
  };

  // The rows are read first, so that a change of a cursor's record in the meantime is noticed too.
  if ([start, end].some((cursor) => cursor && hasLongValues(cursor))) await read();
  if (start) await refuseChanged(context.database, resource, keys, start, 'after');
  if (end) await refuseChanged(context.database, resource, keys, end, 'before');

  return {
    cursor: (row) => cursorOf(keys, row),
    rows,
    total: lazy(() => totalOf(context, resource, where)),
    hasNextPage: backwards ? goesOn : more,
    hasPreviousPage: backwards ? more : goesOn,
  };
}

/** From this offset on, two statements (ids, then records) are cheaper than one. */
const deepOffset = 200;

/** Lines are numbered 1…n within their parent, so for all lines of a parent an offset is a position. */
const isByPosition = (keys: SortKeys, where: Condition, resource: Resource): boolean =>
  keys === byPosition && isOfParent(resource, where);

/** Whether the condition selects all lines of a parent. */
export const isOfParent = ({ scope }: Resource, where: Condition): boolean =>
  where.kind === 'compare' && where.field === scope;

/** Starts after the skipped lines by position, so that the database has nothing to skip. */
function boundByOffset(
  bounds: Condition[],
  keys: SortKeys,
  start: readonly unknown[] | undefined,
  offset: number,
): number {
  if (offset > 0) bounds.push(rowsBeyond(keys, [Math.min(Number(start?.[0] ?? 0) + offset, largestInt32)], false));
  return 0;
}

/** Problems of combined arguments; the range of each is checked with the arguments. */
export function pageProblems({ last, offset }: PageArguments): Problem[] {
  if (!offset || last == null) return [];
  const message = 'counts from the start; it cannot be combined with `last`';
  return [invalid(['offset'], message)];
}

/** @throws BAD_USER_INPUT */
export function refusePageProblems(given: PageArguments): void {
  const problems = pageProblems(given);
  if (problems.length > 0) throw errors.badInput(problems);
}

/**
 * The number of records. A whole list is not counted: the database maintains its number (`RecordCount`), so the cost
 * does not depend on the table's size.
 */
export async function totalOf(
  { database: { client } }: { database: Database },
  resource: Resource,
  where: Condition,
): Promise<number> {
  if (isForSql(where)) return countBySql(client, resource, where);
  if (!isWholeList(resource, where)) return delegate(client, resource).count({ where: whereOf(where) });
  const { _sum } = await client.recordCount.aggregate({ where: { model: resource.model }, _sum: { count: true } });
  return _sum.count ?? 0;
}

/** Whether the condition selects all records of a type that is counted by triggers. */
export const isWholeList = ({ kind }: Resource, where: Condition): boolean =>
  kind === 'resource' && isEverything(where);

/** Runs `read` at the first call and returns its promise from then on. */
export function lazy<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= read();
    return result;
  };
}

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
export const endOf = <Row>(rows: readonly Row[], { head = 0, size }: Extent): Row[] =>
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
  if (pageProblems(page).length > 0) return undefined;
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
      where: filterArgument(given, 'where'),
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
