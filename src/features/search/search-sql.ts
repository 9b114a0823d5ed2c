/**
 * The documents that a search finds, as SQL that both databases answer alike. Each word must begin a word of the document or
 * of one of its lines. The rarest word is found by the index; the others are looked for among the words of the documents that
 * it has found.
 */
import { hash } from 'node:crypto';
import type { RequestContext } from '../../change/context.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { errors } from '../../model/errors/errors.js';
import { mostWordsSought } from '../../model/limits.js';
import type { Resource } from '../../model/resource.js';
import { wordsOf } from '../../model/words.js';
import { isEverything } from '../../query/condition.js';
import { afterPrefix } from '../../query/filter.js';
import type { SortKey } from '../../query/list.js';
import type { Rights } from '../../query/rights.js';

/** The column of the rank beside those of the record: no field has this name. */
export const rankColumn = '$rank';

/** The best first. Ranks are those of a search for these words, in any order. */
export const byRank = (words: readonly string[]): SortKey => {
  const of = hash('sha256', [...words].sort().join(' '), 'base64url').slice(0, 12);
  return { field: rankColumn, direction: 'desc', type: 'integer', of };
};

/** The words that begin with `prefix`, as a range of the index. */
export function beginsWith(prefix: string): Prisma.Sql {
  const end = afterPrefix(prefix);
  const below = end === undefined ? Prisma.empty : Prisma.sql`AND w."word" < ${end}`;
  return Prisma.sql`w."word" >= ${prefix} ${below}`;
}

/**
 * A subquery with the columns `id` and `$rank`, of the documents of at least one type; the rarest of the words comes
 * first. For each word a document gets 4 if it has the whole word and 3 if it has a word that begins with it. For a
 * match in a line it gets 2 or 1. With `rights` they are those that the caller sees: the tables are its views then.
 */
export function foundSql(
  resources: readonly Resource[],
  [first = '', ...others]: readonly string[],
  rights?: Rights,
): Prisma.Sql {
  const models = resources.map(({ model }) => model);
  const found = Prisma.sql`SELECT t."documentId" AS "id",
      max(CASE WHEN t."recordId" = '' THEN 2 ELSE 0 END + CASE WHEN w."word" = ${first} THEN 2 ELSE 1 END) AS "r0"
    FROM "SearchWord" AS w JOIN "SearchText" AS t ON t."id" = w."textId"
    WHERE w."model" IN (${Prisma.join(models)}) AND ${beginsWith(first)} ${seenSql(resources, rights)} GROUP BY t."documentId"`;
  if (others.length === 0) return Prisma.sql`SELECT "id", "r0" AS ${rank} FROM (${found}) AS f0`;
  const ranks = others.map((word, index) => Prisma.sql`(${rankOf(word)}) AS ${column(index + 1)}`);
  const sum = Prisma.join([Prisma.sql`"r0"`, ...others.map((_, index) => column(index + 1))], ' + ');
  const all = Prisma.join(
    others.map((_, index) => Prisma.sql`${column(index + 1)} > 0`),
    ' AND ',
  );
  return Prisma.sql`SELECT "id", ${sum} AS ${rank} FROM (
    SELECT f0."id", f0."r0", ${Prisma.join(ranks)} FROM (${found}) AS f0
  ) AS f1 WHERE ${all}`;
}

function seenSql(resources: readonly Resource[], rights: Rights | undefined): Prisma.Sql {
  const limited = rights ? resources.filter((resource) => !isEverything(rights.rule(resource, 'read'))) : [];
  if (limited.length === 0) return Prisma.empty;
  const seen = limited.map(
    ({ model }) => `WHEN '${model}' THEN EXISTS (SELECT 1 FROM "${model}" AS seen WHERE seen."id" = t."documentId")`,
  );
  return Prisma.raw(`AND CASE w."model" ${seen.join(' ')} ELSE TRUE END`);
}

/** Words are written between quotes, and hold no wildcard. */
const rankOf = (word: string): Prisma.Sql => Prisma.sql`SELECT
    max(CASE WHEN x."recordId" = '' THEN 2 ELSE 0 END + CASE WHEN x."words" LIKE ${`%"${word}"%`} THEN 2 ELSE 1 END)
  FROM "SearchText" AS x WHERE x."documentId" = f0."id" AND x."words" LIKE ${`%"${word}%`}`;

const column = (index: number): Prisma.Sql => Prisma.raw(`"r${index}"`);
const rank = Prisma.raw(`"${rankColumn}"`);

// Which word of a search is the rarest, and whether the search can be answered. The rows of the rarest word are read, and
// the other words are looked for among them.

/**
 * The numbers up to which the rows of a word are counted in each type. The next one is used while the word that seems to be
 * the rarest is not counted to the end: then each search reads more rows than it counts.
 */
const mostCounted = [300, 3_000, 30_000];

/**
 * The words, the rarest first. @throws BAD_USER_INPUT where the words of a type are not indexed, UNAVAILABLE while they are
 * not all indexed yet
 */
export async function rarestFirst(
  { database }: Pick<RequestContext, 'database'>,
  resources: readonly Resource[],
  words: readonly string[],
  argument: SearchArgument,
): Promise<string[]> {
  const models = Prisma.join(resources.map(({ model }) => model));
  let counts: WordCount[] = [];
  for (const most of mostCounted) {
    const columns =
      words.length > 1 ? words.map((word, place) => Prisma.sql`, ${countOf(word, most)} AS ${columnOf(place)}`) : [];
    const states = await database.client.$queryRaw<State[]>`
      SELECT s."isComplete" ${Prisma.join([Prisma.empty, ...columns], '')} FROM "SearchState" AS s WHERE s."model" IN (${models})`;
    requireIndexed(states, resources, argument);
    counts = words.map((word, place) => wordCount(word, states, place, most)).sort(byCount);
    if (counts[0]?.isWhole) break;
  }
  // A word that was counted to the end is read sooner than one that may have any number of rows.
  return counts.toSorted((one, other) => Number(other.isWhole) - Number(one.isWhole)).map(({ word }) => word);
}

/** The row of a type: whether it is indexed, and the counts of its words. */
type State = Record<string, unknown>;

interface WordCount {
  word: string;
  count: number;
  /** Whether all of its rows are counted. */
  isWhole: boolean;
}

function wordCount(word: string, states: readonly State[], place: number, most: number): WordCount {
  const counts = states.map((state) => Number(state[`c${place}`] ?? 0));
  return { word, count: counts.reduce((sum, each) => sum + each, 0), isWhole: counts.every((each) => each < most) };
}

/** Of words that seem equally frequent, the longest is likely the rarest. */
const byCount = (one: WordCount, other: WordCount): number =>
  one.count - other.count || other.word.length - one.word.length;

const countOf = (word: string, most: number) => Prisma.sql`(SELECT count(*) FROM (
  SELECT 1 FROM "SearchWord" AS w WHERE w."model" = s."model" AND ${beginsWith(word)} LIMIT ${most}) AS counted)`;
const columnOf = (place: number) => Prisma.raw(`"c${place}"`);

function requireIndexed(states: readonly State[], resources: readonly Resource[], argument: SearchArgument): void {
  if (states.length < resources.length) {
    const instead = argument === 'search' ? 'use conditions in `where` instead' : 'ask the list of a type with `where`';
    throw errors.invalidAt([argument], `is turned off, because not all processes run with SEARCH=true; ${instead}`);
  }
  const unfinished = 'The words of the records that were there before are still being indexed';
  const isComplete = states.every((state) => Number(state.isComplete) === 1);
  if (!isComplete) throw errors.unavailable('busy', undefined, unfinished);
}

/** The argument that holds the text. */
type SearchArgument = 'search' | 'query';

/** Empty for a text without letters and digits. @throws BAD_USER_INPUT for too many words */
export function soughtWords(text: string | null | undefined, argument: SearchArgument): string[] {
  const words = wordsOf(text ?? '', mostWordsSought + 1);
  if (words.length > mostWordsSought) throw errors.invalidAt([argument], `must have at most ${mostWordsSought} words`);
  return words;
}
