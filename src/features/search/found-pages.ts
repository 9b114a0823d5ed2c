/** Pages of what a search finds, of one type or of several: the index gives the ids, then each type on the page is read once. */
import type { RequestContext } from '../../change/context.js';
import type { SeenDatabase } from '../../database/open-database.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { type Resource, resourceById } from '../../model/resource.js';
import { allOf, type Condition, conditionSql, everything, type Ground, groundOf } from '../../query/condition.js';
import { cursorOf, lookedUp, readPositionAmong, refuseChanged, rowPosition } from '../../query/cursor.js';
import type { Load, SelectedRecord } from '../../query/delegate.js';
import {
  type ListRequest,
  listOf,
  newestFirst,
  orderSql,
  positionOf,
  rowsBeyond,
  type SortKeys,
} from '../../query/list.js';
import { cursorsIn, type Page, type PageArguments, pageIn, refusePageProblems } from '../../query/page.js';
import { readMany } from '../../query/read.js';
import { byRank, foundSql, rankColumn, rarestFirst, soughtWords } from './search-sql.js';

/** The best first, and equals newest first: the last part of an id rises with time, whatever the type. */
const newestColumn = '$newest';
const bestFirst = (words: readonly string[]): SortKeys => [
  byRank(words),
  { field: newestColumn, direction: 'desc', type: 'string' },
  ...newestFirst,
];
const lastPart = 26;

interface Search {
  query: string;
  /** The columns and relations to load of a type, which is asked for each type on the page. */
  selectionOf(resource: Resource): Load;
  arguments: PageArguments;
}

/**
 * None for a text without words, because there is no list of the records of all types.
 * @throws BAD_USER_INPUT like `pageOf`
 */
export async function searchAll(
  context: Pick<RequestContext, 'database' | 'identity'>,
  resources: readonly Resource[],
  { query, selectionOf, arguments: given }: Search,
): Promise<Page> {
  refusePageProblems(given);
  const resourceOfId = resourceById(resources);
  const words = soughtWords(query, 'query');
  const keys = bestFirst(words);
  const cursorAt = (cursor: string | null | undefined, argument: 'after' | 'before') =>
    cursor == null ? undefined : readPositionAmong((id) => resourceOfId(id) !== undefined, keys, cursor, argument);
  const [after, before] = [cursorAt(given.after, 'after'), cursorAt(given.before, 'before')];
  if (words.length === 0 || resources.length === 0) return noPage(keys);
  const ordered = await rarestFirst(context, resources, words, 'query');

  const { client } = context.database;
  const readAll = async (ids: readonly string[]): Promise<SelectedRecord[]> => {
    const types = new Set(ids.flatMap((id) => resourceOfId(id) ?? []));
    const read = [...types].map(async (resource) => {
      const its = ids.filter((id) => resourceOfId(id) === resource);
      const rows = await readMany(client, resource, its, selectionOf(resource));
      return rows.map((row) => ({ ...row, __typename: resource.model, [newestColumn]: row.id.slice(-lastPart) }));
    });
    return (await Promise.all(read)).flat();
  };
  return foundPage(context.database, {
    from: Prisma.sql`FROM (${foundSql(resources, ordered, context.identity.rights)}) AS s`,
    columns: { alias: found.alias, column: (name) => columns[name] ?? found.column(name) },
    where: everything,
    keys,
    arguments: given,
    after,
    before,
    positionOf: (row) => positionOf(keys, row),
    read: readAll,
  });
}

const found = groundOf('s');

const columns: Record<string, Prisma.Sql> = {
  [newestColumn]: Prisma.raw(`substr(s."id", length(s."id") - ${lastPart - 1})`),
};

const noPage = (keys: SortKeys): Page => ({
  cursor: (row) => cursorOf(keys, row),
  rows: async () => [],
  total: async () => 0,
  hasNextPage: async () => false,
  hasPreviousPage: async () => false,
});

interface ListSearch extends Omit<ListRequest, 'parentId'> {
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
  { words, where: filter, orderBy, selection, arguments: given }: ListSearch,
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

/** A page of what a search finds: one statement finds the ids and ranks, then the records are read. */
interface Found {
  /** What follows SELECT, with the columns `id` and `$rank` as `columns` names them. */
  from: Prisma.Sql;
  columns: Ground;
  where: Condition;
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

function foundPage(
  { client }: Pick<SeenDatabase, 'client' | 'limit'>,
  { from, columns, where, keys, arguments: given, after, before, positionOf, read: readRecords }: Found,
): Page {
  const [id, rank] = [columns.column('id'), columns.column(rankColumn)];
  const ask = (conditions: Condition[], towardsStart: boolean, take: number, skip: number) =>
    client.$queryRaw<FoundRow[]>`
      SELECT ${id} AS "id", ${rank} AS "rank" ${from} WHERE ${conditionSql(allOf(...conditions), columns)}
      ORDER BY ${orderSql(keys, towardsStart, columns)} LIMIT ${take} OFFSET ${skip}`;
  return pageIn<FoundRow, SelectedRecord>(given, ({ backwards }) => ({
    cursor: (row) => cursorOf(keys, row),
    find(take, skip) {
      const bounds = [where];
      if (after) bounds.push(rowsBeyond(keys, after, false));
      if (before) bounds.push(rowsBeyond(keys, before, true));
      return ask(bounds, backwards, take, skip);
    },
    async load(found) {
      const records = await readRecords(found.map((row) => row.id));
      const byId = new Map(records.map((record) => [record.id, record]));
      return found.map((row) => {
        const record = byId.get(row.id);
        return record && Object.assign(record, { [rankColumn]: Number(row.rank) });
      });
    },
    async goesOn(edge) {
      const rest = edge ? [where, rowsBeyond(keys, positionOf(edge), !backwards)] : [where];
      return (await ask(rest, !backwards, 1, 0)).length > 0;
    },
    async count() {
      const [row] = await client.$queryRaw<{ count: number | bigint }[]>`
      SELECT count(*) AS "count" ${from} WHERE ${conditionSql(where, columns)}`;
      return Number(row?.count ?? 0);
    },
  }));
}

interface FoundRow {
  id: string;
  rank: number | bigint;
}
