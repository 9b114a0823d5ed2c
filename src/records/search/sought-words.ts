/** The words of a search, and whether it can be answered. */
import type { RequestContext } from '../../context.js';
import { errors } from '../../errors.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { mostWordsSought } from '../../model/limits.js';
import type { Resource } from '../../model/resource.js';
import { wordsOf } from '../../model/words.js';

/** The argument that holds the text. */
type Argument = 'search' | 'query';

/** Empty for a text without letters and digits. @throws BAD_USER_INPUT for too many words */
export function soughtWords(text: string | null | undefined, argument: Argument): string[] {
  const words = wordsOf(text == null ? [] : [text], mostWordsSought + 1);
  if (words.length > mostWordsSought) throw refused(argument, `must have at most ${mostWordsSought} words`);
  return words;
}

/** @throws BAD_USER_INPUT where the words of a type are not indexed, UNAVAILABLE while they are not all indexed yet */
export async function requireIndexed(
  { database }: Pick<RequestContext, 'database'>,
  resources: readonly Resource[],
  argument: Argument,
): Promise<void> {
  const states = await database.client.$queryRaw<{ isComplete: unknown }[]>`
    SELECT "isComplete" FROM "SearchState" WHERE "model" IN (${Prisma.join(resources.map(({ model }) => model))})`;
  if (states.length < resources.length) {
    const instead = argument === 'search' ? 'use conditions in `where` instead' : 'ask the list of a type with `where`';
    throw refused(argument, `is turned off, because not all processes run with SEARCH=true; ${instead}`);
  }
  const unfinished = 'The words of the records that were there before are still being indexed';
  const isComplete = states.every((state) => Number(state.isComplete) === 1);
  if (!isComplete) throw errors.unavailable('busy', undefined, unfinished);
}

const refused = (argument: Argument, message: string) =>
  errors.badInput([{ path: [argument], code: 'parameter_invalid', message }]);
