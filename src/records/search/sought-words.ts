/** The words of a search, and whether it can be answered. */
import type { RequestContext } from '../../context.js';
import { errors } from '../../errors.js';
import { mostWordsSought } from '../../model/limits.js';
import type { Resource } from '../../model/resource.js';
import { wordsOf } from './words.js';

/** Empty for a text without letters and digits, which leaves nothing out. @throws BAD_USER_INPUT for too many words */
export function soughtWords(search: string | null | undefined): string[] {
  const words = wordsOf(search == null ? [] : [search], mostWordsSought + 1);
  if (words.length > mostWordsSought) throw refused(`must have at most ${mostWordsSought} words`);
  return words;
}

/** @throws BAD_USER_INPUT where words are not indexed, UNAVAILABLE while they are not all indexed yet */
export async function requireIndexed(
  { database }: Pick<RequestContext, 'database'>,
  { model }: Resource,
): Promise<void> {
  const [state] = await database.client.$queryRaw<{ isComplete: unknown }[]>`
    SELECT "isComplete" FROM "SearchState" WHERE "model" = ${model}`;
  if (!state) {
    throw refused('is turned off, because not all processes run with SEARCH=true; use conditions in `where` instead');
  }
  const unfinished = 'The words of the records that were there before are still being indexed';
  if (Number(state.isComplete) !== 1) throw errors.unavailable('busy', undefined, unfinished);
}

const refused = (message: string) => errors.badInput([{ path: ['search'], code: 'parameter_invalid', message }]);
