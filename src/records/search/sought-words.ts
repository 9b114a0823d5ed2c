/** The words of a search, and whether it can be answered. */
import type { RequestContext } from '../../context.js';
import { errors } from '../../errors.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { mostWordsSought } from '../../model/limits.js';
import type { Resource } from '../../model/resource.js';
import { wordsOf } from '../../model/words.js';
import { beginsWith } from './search-sql.js';

/** The argument that holds the text. */
type Argument = 'search' | 'query';

/** Empty for a text without letters and digits. @throws BAD_USER_INPUT for too many words */
export function soughtWords(text: string | null | undefined, argument: Argument): string[] {
  const words = wordsOf(text == null ? [] : [text], mostWordsSought + 1);
  if (words.length > mostWordsSought) throw refused(argument, `must have at most ${mostWordsSought} words`);
  return words;
}

/**
 * The words, the rarest first. @throws BAD_USER_INPUT where the words of a type are not indexed, UNAVAILABLE while they are
 * not all indexed yet
 */
export async function rarestFirst(
  { database }: Pick<RequestContext, 'database'>,
  resources: readonly Resource[],
  words: readonly string[],
  argument: Argument,
): Promise<string[]> {
  const models = Prisma.join(resources.map(({ model }) => model));
  for (const [round, most] of mostCounted.entries()) {
    const counted =
      words.length > 1 ? words.map((word, place) => Prisma.sql`, ${countOf(word, most)} AS ${columnOf(place)}`) : [];
    const states = await database.client.$queryRaw<Record<string, unknown>[]>`
      SELECT s."isComplete" ${Prisma.join([Prisma.empty, ...counted], '')} FROM "SearchState" AS s WHERE s."model" IN (${models})`;
    requireIndexed(states, resources, argument);
    const found = words.map((word, place) => {
      const counts = states.map((state) => Number(state[`c${place}`] ?? 0));
      return { word, count: counts.reduce((sum, each) => sum + each, 0), isWhole: counts.every((each) => each < most) };
    });
    // Of words as frequent, the longest is likely the rarest.
    found.sort((one, other) => one.count - other.count || other.word.length - one.word.length);
    if (found[0]?.isWhole) return found.map(({ word }) => word);
    if (round < mostCounted.length - 1) continue;
    // A word that was counted to the end is read sooner than one that may have any number of rows.
    return found.toSorted((one, other) => Number(other.isWhole) - Number(one.isWhole)).map(({ word }) => word);
  }
  return [...words];
}

function requireIndexed(
  states: readonly Record<string, unknown>[],
  resources: readonly Resource[],
  argument: Argument,
): void {
  if (states.length < resources.length) {
    const instead = argument === 'search' ? 'use conditions in `where` instead' : 'ask the list of a type with `where`';
    throw refused(argument, `is turned off, because not all processes run with SEARCH=true; ${instead}`);
  }
  const unfinished = 'The words of the records that were there before are still being indexed';
  const isComplete = states.every((state) => Number(state.isComplete) === 1);
  if (!isComplete) throw errors.unavailable('busy', undefined, unfinished);
}

/**
 * The numbers up to which the rows of a word are counted in each type. The next one is used while the word that seems to be
 * the rarest is not counted to the end: then each search reads more rows than it counts.
 */
const mostCounted = [300, 3_000, 30_000];
const countOf = (word: string, most: number) => Prisma.sql`(SELECT count(*) FROM (
  SELECT 1 FROM "SearchWord" AS w WHERE w."model" = s."model" AND ${beginsWith(word)} LIMIT ${most}) AS counted)`;
const columnOf = (place: number) => Prisma.raw(`"c${place}"`);

const refused = (argument: Argument, message: string) =>
  errors.badInput([{ path: [argument], code: 'parameter_invalid', message }]);
