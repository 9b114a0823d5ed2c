/**
 * Which word of a search is the rarest, and whether the search can be answered. The rows of the rarest word are read, and
 * the other words are looked for among them.
 */
import type { RequestContext } from '../../change/context.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { errors } from '../../model/errors/errors.js';
import type { Resource } from '../../model/resource.js';
import { beginsWith } from './search-sql.js';
import { type SearchArgument, searchRefused } from './sought-words.js';

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
    throw searchRefused(argument, `is turned off, because not all processes run with SEARCH=true; ${instead}`);
  }
  const unfinished = 'The words of the records that were there before are still being indexed';
  const isComplete = states.every((state) => Number(state.isComplete) === 1);
  if (!isComplete) throw errors.unavailable('busy', undefined, unfinished);
}
