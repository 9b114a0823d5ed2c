import type { CombinedError } from '@urql/core';
import { type Problems, valueNeeded } from '../document/check-draft.js';
import { type DraftLine, placeInLine } from '../document/draft.js';
import type { MistakeFragment, UserErrorCode } from '../generated/graphql.js';

/** What went wrong, as the page shows it. */
export interface Trouble {
  message: string;
  problems: Problems;
}

/** The codes of the errors, such as `VERSION_CONFLICT`. */
export function codesOf(error: CombinedError | undefined): unknown[] {
  return error?.graphQLErrors.map(({ extensions }) => extensions.code) ?? [];
}

/** Whether somebody has changed, submitted, cancelled or deleted the repair since it was read. */
export function isOvertaken(mistakes: MistakeFragment[] = []): boolean {
  return mistakes.some(({ code, path }) => (code === 'RESOURCE_MISSING' ? path[0] === 'id' : late.includes(code)));
}

const late: UserErrorCode[] = ['VERSION_CONFLICT', 'INVALID_STATE'];

/** `lines` are those that were sent: the gateway names a line by its number, the form by its key. */
export function troubleOf(
  error: CombinedError | undefined,
  mistakes: MistakeFragment[] = [],
  lines: DraftLine[] = [],
): Trouble {
  const problems = new Map<string, string>();
  const others: string[] = [];
  for (const mistake of mistakes) {
    const place = placeOf(mistake.path, lines);
    if (place === undefined) others.push(mistake.message);
    else problems.set(place, wordsOf(mistake));
  }
  if (mistakes.length > 0) return { message: others.join(' '), problems };
  if (!error || error.networkError) return { message: unreachable, problems };
  return { message: error.graphQLErrors.map(({ message }) => message).join(' '), problems };
}

const unreachable = 'The gateway cannot be reached. What you have entered is still here: try again.';

/** The place in the form of a path such as `['input', 'consumedItems', '2', 'warehouse']`. */
function placeOf([argument, field, place, name]: string[], lines: DraftLine[]): string | undefined {
  if (argument !== 'input' || place === undefined) return argument === 'input' ? field : undefined;
  const line = lines[Number(place)];
  if (!line) return undefined;
  return name === undefined || name === 'id' ? line.key : placeInLine(line.key, name);
}

/** A sentence to stand at the field, where it need not name the field again. */
function wordsOf({ code, message }: MistakeFragment): string {
  if (code === 'PARAMETER_MISSING') return valueNeeded;
  if (code === 'RESOURCE_MISSING') return 'Somebody has deleted this line.';
  const words = message.replace(/^`.*?` /, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
