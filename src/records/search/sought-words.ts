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
  const counted =
    words.length > 1 ? words.map((word, place) => Prisma.sql`, ${countOf(word)} AS ${columnOf(place)}`) : [];
  const states = await database.client.$queryRaw<Record<string, unknown>[]>`
    SELECT s."isComplete" ${Prisma.join([Prisma.empty, ...counted], '')} FROM "SearchState" AS s WHERE s."model" IN (${models})`;
  if (states.length < resources.length) {
    const instead = argument === 'search' ? 'use conditions in `where` instead' : 'ask the list of a type with `where`';
    throw refused(argument, `is turned off, because not all processes run with SEARCH=true; ${instead}`);
  }
  const unfinished = 'The words of the records that were there before are still being indexed';
  const isComplete = states.every((state) => Number(state.isComplete) === 1);
  if (!isComplete) throw errors.unavailable('busy', undefined, unfinished);
  const found = words.map((word, place) => ({
    word,
    count: states.reduce((sum, state) => sum + Number(state[`c${place}`] ?? 0), 0),
  }));
  // Of words as frequent, the longest is likely the rarest.
  return found
    .sort((one, other) => one.count - other.count || other.word.length - one.word.length)
    .map(({ word }) => word);
}

/** How often a word is in the index of a type, up to a number that is counted quickly. */
const countOf = (word: string) => Prisma.sql`(SELECT count(*) FROM (
  SELECT 1 FROM "SearchWord" AS w WHERE w."model" = s."model" AND ${beginsWith(word)} LIMIT ${mostCounted}) AS counted)`;
const mostCounted = 300;
const columnOf = (place: number) => Prisma.raw(`"c${place}"`);

const refused = (argument: Argument, message: string) =>
  errors.badInput([{ path: [argument], code: 'parameter_invalid', message }]);
