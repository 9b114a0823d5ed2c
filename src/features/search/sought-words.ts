/** The words of a search. */
import { errors } from '../../model/errors/errors.js';
import { mostWordsSought } from '../../model/limits.js';
import { wordsOf } from '../../model/words.js';

/** The argument that holds the text. */
export type SearchArgument = 'search' | 'query';

/** Empty for a text without letters and digits. @throws BAD_USER_INPUT for too many words */
export function soughtWords(text: string | null | undefined, argument: SearchArgument): string[] {
  const words = wordsOf(text ?? '', mostWordsSought + 1);
  if (words.length > mostWordsSought) throw searchRefused(argument, `must have at most ${mostWordsSought} words`);
  return words;
}

/** The refusal of a search for what its argument asks. */
export const searchRefused = (argument: SearchArgument, message: string): Error =>
  errors.badInput([{ path: [argument], code: 'parameter_invalid', message }]);
