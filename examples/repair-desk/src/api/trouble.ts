import type { CombinedError } from '@urql/core';
import type { MistakeFragment, UserErrorCode } from '../generated/graphql.js';

/** What went wrong: a message, and the problems of values, by their place in the input, such as `consumedItems.2.warehouse`. */
export interface Trouble {
  message: string;
  problems: [place: string, words: string][];
}

/** The codes of the errors, such as `VERSION_CONFLICT`. */
export function codesOf(error: CombinedError | undefined): unknown[] {
  return error?.graphQLErrors.map(({ extensions }) => extensions.code) ?? [];
}

/** Whether somebody has changed, submitted, cancelled or deleted the repair since it was read. */
export function isOvertaken(mistakes: MistakeFragment[] = []): boolean {
  const late: UserErrorCode[] = ['VERSION_CONFLICT', 'INVALID_STATE'];
  return mistakes.some(({ code, path }) => (code === 'RESOURCE_MISSING' ? path[0] === 'id' : late.includes(code)));
}

export function troubleOf(error: CombinedError | undefined, mistakes: MistakeFragment[] = []): Trouble {
  const placed = mistakes.filter(({ path }) => path[0] === 'input' && path.length > 1);
  const others = mistakes.filter((mistake) => !placed.includes(mistake));
  const problems = placed.map((mistake): [string, string] => [placeOf(mistake.path), wordsOf(mistake)]);
  if (mistakes.length > 0) return { message: messagesOf(others), problems };
  if (!error || error.networkError) return { message: unreachable, problems };
  return { message: messagesOf(error.graphQLErrors), problems };
}

/** The problem of a whole line stands at its id. */
function placeOf([, field, line, name = 'id']: string[]): string {
  return line === undefined ? `${field}` : `${field}.${line}.${name}`;
}

const unreachable = 'The gateway cannot be reached. What you have entered is still here: try again.';

function messagesOf(those: { message: string }[]): string {
  return those.map(({ message }) => message).join(' ');
}

/** A sentence to stand at the field, where it need not name the field again. */
function wordsOf({ code, message }: MistakeFragment): string {
  if (code === 'PARAMETER_MISSING') return 'A value is needed.';
  if (code === 'RESOURCE_MISSING') return 'Somebody has deleted this line.';
  const words = message.replace(/^`.*?` /, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
