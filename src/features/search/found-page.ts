/** A page of what a search finds: one statement finds the ids and ranks, then the records are read. */

import type { Database } from '../../database/open-database.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { type ColumnResolver, conditionSql } from '../../query/condition.js';
import { cursorOf } from '../../query/cursor.js';
import type { SelectedRecord, Where } from '../../query/delegate.js';
import { endOf, extentOf, type PageArguments } from '../../query/extent.js';
import { rowsBeyond, type SortKeys } from '../../query/keyset.js';
import { lazy } from '../../query/lazy.js';
import { orderSql } from '../../query/list-sql.js';
import type { Page } from '../../query/page.js';
import { rankColumn } from './search-sql.js';

interface Found {
  /** What follows SELECT, with the columns `id` and `$rank` as `columns` names them. */
  from: Prisma.Sql;
  columns: ColumnResolver;
  where: Where;
  keys: SortKeys;
  arguments: PageArguments;
  /** The positions of the cursors, as SQL takes them. */
  after: readonly unknown[] | undefined;
  before: readonly unknown[] | undefined;
  /** The position of a row that has been read, as SQL takes it. */
  positionOf(row: SelectedRecord): readonly unknown[];
  /** Reads records in any order. One that is gone in the meantime is left out. */
  read(ids: readonly string[]): Promise<SelectedRecord[]>;
}

export function foundPage(
  { client }: Pick<Database, 'client'>,
  { from, columns, where, keys, arguments: given, after, before, positionOf, read: readRecords }: Found,
): Page {
  const extent = extentOf(given);
  const { backwards, size, head } = extent;
  const [id, rank] = [columns.column('id'), columns.column(rankColumn)];
  const ask = (conditions: Where[], towardsStart: boolean, take: number, skip: number) =>
    client.$queryRaw<{ id: string; rank: number | bigint }[]>`
      SELECT ${id} AS "id", ${rank} AS "rank" ${from} WHERE ${conditionSql({ AND: conditions }, columns)}
      ORDER BY ${orderSql(keys, towardsStart, columns)} LIMIT ${take} OFFSET ${skip}`;

  /** The records of the page and the next one, and which of them are shown. */
  const read = lazy(async () => {
    const bounds = [where];
    if (after) bounds.push(rowsBeyond(keys, after, false));
    if (before) bounds.push(rowsBeyond(keys, before, true));
    const all = await ask(bounds, backwards, (head ?? size) + 1, given.offset ?? 0);
    const found = endOf(all, extent);
    const records = await readRecords(found.map((row) => row.id));
    const byId = new Map(records.map((record) => [record.id, record]));
    const readable = (some: typeof found) =>
      some.flatMap((row) => {
        const record = byId.get(row.id);
        return record ? [Object.assign(record, { [rankColumn]: Number(row.rank) })] : [];
      });
    // A record that was deleted in the meantime makes its page shorter, but does not end the list.
    const isLed = head !== undefined && all.length > size;
    return { all: readable(found), shown: readable(found.slice(0, size)), isFull: found.length > size, isLed };
  });
  const rows = async () => {
    const { shown } = await read();
    return backwards ? shown.toReversed() : shown;
  };
  const more = async () => (await read()).isFull;
  /** Whether rows exist beyond the edge at which the page starts. */
  const goesOn = async () => {
    if (!extent.isOpen) return head !== undefined && (await read()).isLed;
    const [edge] = (await read()).all;
    const rest = edge ? [where, rowsBeyond(keys, positionOf(edge), !backwards)] : [where];
    return (await ask(rest, !backwards, 1, 0)).length > 0;
  };
  const total = async () => {
    const [row] = await client.$queryRaw<{ count: number | bigint }[]>`
      SELECT count(*) AS "count" ${from} WHERE ${conditionSql(where, columns)}`;
    return Number(row?.count ?? 0);
  };
  return {
    cursor: (row) => cursorOf(keys, row),
    rows,
    total: lazy(total),
    hasNextPage: backwards ? goesOn : more,
    hasPreviousPage: backwards ? more : goesOn,
  };
}
