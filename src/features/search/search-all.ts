/**
 * A page of the records of several types that a search finds: the index gives their ids, then each type on the page is
 * read once.
 */
import type { RequestContext } from '../../change/context.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { type Resource, resourceById } from '../../model/resource.js';
import { cursorOf, readPositionAmong } from '../../query/cursor.js';
import type { SelectedRecord, Selection } from '../../query/delegate.js';
import type { PageArguments } from '../../query/extent.js';
import { positionOf, type SortKeys } from '../../query/keyset.js';
import { type Page, refusePageProblems } from '../../query/page.js';
import { readMany } from '../../query/read.js';
import { foundPage } from './found-page.js';
import { rarestFirst } from './rarest-first.js';
import { byRank, foundSql } from './search-sql.js';
import { soughtWords } from './sought-words.js';

/** The best first, and equals newest first: the last part of an id rises with time, whatever the type. */
const newestColumn = '$newest';
const bestFirst = (words: readonly string[]): SortKeys => [
  byRank(words),
  { field: newestColumn, direction: 'desc', type: 'string' },
  { field: 'id', direction: 'desc', type: 'string' },
];
const lastPart = 26;

interface Request {
  query: string;
  /** The columns and relations to load of a type, which is asked for each type on the page. */
  selectionOf(resource: Resource): Selection;
  arguments: PageArguments;
}

/**
 * None for a text without words, because there is no list of the records of all types.
 * @throws BAD_USER_INPUT like `pageOf`
 */
export async function searchAll(
  context: Pick<RequestContext, 'database'>,
  resources: readonly Resource[],
  { query, selectionOf, arguments: given }: Request,
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
    from: Prisma.sql`FROM (${foundSql(resources, ordered)}) AS s`,
    columns: { column: (name) => columns[name] ?? Prisma.raw(`s."${name}"`), related: () => undefined },
    ...{ where: {}, keys, arguments: given, after, before },
    positionOf: (row) => positionOf(keys, row),
    read: readAll,
  });
}

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
