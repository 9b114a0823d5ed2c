/** A page of a list that is searched: by SQL that finds the ids, and then by Prisma, which reads the records. */
import type { RequestContext } from '../../context.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { defaultPageSize } from '../../model/limits.js';
import type { Resource } from '../../model/resource.js';
import { type ColumnResolver, columnResolverOf, conditionSql } from '../condition.js';
import { readCursor } from '../cursor.js';
import { hasLongValues, lookedUp, refuseChanged, rowPosition } from '../cursor-record.js';
import { delegate, type SelectedRecord, type Selection, type Where } from '../delegate.js';
import { rowsBeyond, type SortKeys } from '../keyset.js';
import { lazy } from '../lazy.js';
import { orderSql } from '../list-sql.js';
import { type Page, type PageArguments, refusePageProblems } from '../page.js';
import { foundSql, rankColumn } from './search-sql.js';

/** The default order of a search: the best first, and equals newest first. */
export const bestFirst: SortKeys = [
  { field: rankColumn, direction: 'desc', type: 'integer' },
  { field: 'id', direction: 'desc', type: 'string' },
];

interface Searched {
  words: readonly string[];
  where: Where;
  keys: SortKeys;
  selection: Selection;
  arguments: PageArguments;
}

/** @throws BAD_USER_INPUT like `pageOf` */
export async function searchedPage(
  { database }: Pick<RequestContext, 'database'>,
  resource: Resource,
  { words, where, keys, selection, arguments: given }: Searched,
): Promise<Page> {
  const { first, last, after, before, offset } = given;
  refusePageProblems(given);
  const backwards = last != null;
  const size = last ?? first ?? defaultPageSize;
  const [start, end] = [
    after == null ? undefined : readCursor(resource, keys, after, 'after'),
    before == null ? undefined : readCursor(resource, keys, before, 'before'),
  ];
  const columns = searchedColumns(resource);
  const from = Prisma.sql`FROM ${Prisma.raw(`"${resource.model}"`)} AS t0
    JOIN (${foundSql(resource, words)}) AS s ON s."id" = t0."id"`;
  const ask = (conditions: Where[], towardsStart: boolean, take: number, skip: number) =>
    database.client.$queryRaw<{ id: string; rank: number | bigint }[]>`
      SELECT t0."id", ${columns.column(rankColumn)} AS "rank" ${from} WHERE ${conditionSql({ AND: conditions }, columns)}
      ORDER BY ${orderSql(keys, towardsStart, columns)} LIMIT ${take} OFFSET ${skip}`;

  const read = lazy(async (): Promise<SelectedRecord[]> => {
    const bounds = [where];
    if (start) bounds.push(rowsBeyond(keys, lookedUp(resource, keys, start), false));
    if (end) bounds.push(rowsBeyond(keys, lookedUp(resource, keys, end), true));
    const found = await ask(bounds, backwards, size + 1, offset ?? 0);
    const sorted = keys.map(({ field }) => field).filter((field) => field !== rankColumn);
    const select = { ...selection.select, ...Object.fromEntries(sorted.map((field) => [field, true])) };
    const ids = found.map(({ id }) => id);
    const records = await delegate(database.client, resource).findMany({ where: { id: { in: ids } }, select });
    const byId = new Map(records.map((record) => [record.id, record]));
    return found.flatMap(({ id, rank }) => {
      const record = byId.get(id);
      return record ? [Object.assign(record, { [rankColumn]: Number(rank) })] : [];
    });
  });
  const rows = async () => {
    const page = (await read()).slice(0, size);
    return backwards ? page.reverse() : page;
  };
  const more = async () => (await read()).length > size;
  /** Whether rows exist beyond the edge at which the page starts. */
  const goesOn = async (towardsStart: boolean, isOpen: boolean) => {
    if (!isOpen) return false;
    const [edge] = await read();
    const rest = edge ? [where, rowsBeyond(keys, rowPosition(resource, keys, edge), towardsStart)] : [where];
    return (await ask(rest, towardsStart, 1, 0)).length > 0;
  };
  const total = async () => {
    const [row] = await database.client.$queryRaw<{ count: number | bigint }[]>`
      SELECT count(*) AS "count" ${from} WHERE ${conditionSql(where, columns)}`;
    return Number(row?.count ?? 0);
  };

  // The rows are read first, so that a change of a cursor's record in the meantime is noticed too.
  if ([start, end].some((cursor) => cursor && hasLongValues(cursor))) await read();
  if (start) await refuseChanged(database, resource, keys, start, 'after');
  if (end) await refuseChanged(database, resource, keys, end, 'before');
  return {
    keys,
    rows,
    total: lazy(total),
    hasNextPage: () => (backwards ? goesOn(false, before != null) : more()),
    hasPreviousPage: () => (backwards ? more() : goesOn(true, after != null || Boolean(offset))),
  };
}

/** The columns of the record, and the rank. */
function searchedColumns(resource: Resource): ColumnResolver {
  const { column, related } = columnResolverOf(resource);
  const rank = Prisma.raw(`s."${rankColumn}"`);
  return { column: (name) => (name === rankColumn ? rank : column(name)), related };
}
