import type { CombinedError } from '@urql/core';
import { type Problems, valueNeeded } from '../document/check-draft.js';
import { type DraftLine, placeInLine } from '../document/draft.js';

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
export function isOvertaken(error: CombinedError | undefined): boolean {
  return codesOf(error).some((code) => code === 'VERSION_CONFLICT' || code === 'NOT_FOUND' || code === 'INVALID_STATE');
}

/** `lines` are those that were sent: the gateway names a line by its number, the form by its key. */
export function troubleOf(error: CombinedError | undefined, lines: DraftLine[] = []): Trouble {
  if (!error || error.networkError) return { message: unreachable, problems: new Map() };
  const problems = new Map<string, string>();
  const others: string[] = [];
  for (const { message, extensions } of error.graphQLErrors) {
    const listed = problemsIn(extensions.errors);
    if (listed.length === 0) others.push(message);
    for (const problem of listed) {
      const place = placeOf(problem.param, lines);
      if (place === undefined) others.push(problem.message);
      else problems.set(place, wordsOf(problem));
    }
  }
  return { message: others.join(' '), problems };
}

const unreachable = 'The gateway cannot be reached. What you have entered is still here: try again.';

interface Problem {
  /** Such as `input.consumedItems[2].warehouse`. */
  param: string;
  code: string;
  message: string;
}

function placeOf(param: string, lines: DraftLine[]): string | undefined {
  const [, place, name] = /^input\.consumedItems\[(\d+)\](?:\.(\w+))?/.exec(param) ?? [];
  if (place === undefined) return /^input\.(\w+)$/.exec(param)?.[1];
  const line = lines[Number(place)];
  if (!line) return undefined;
  return name === undefined || name === 'id' ? line.key : placeInLine(line.key, name);
}

/** A sentence to stand at the field, where it need not name the field again. */
function wordsOf({ param, code, message }: Problem): string {
  if (code === 'parameter_missing') return valueNeeded;
  if (code === 'resource_missing') return 'Somebody has deleted this line.';
  const words = message.replace(`\`${param}\` `, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function problemsIn(errors: unknown): Problem[] {
  return Array.isArray(errors) ? errors.filter(isProblem) : [];
}

function isProblem(error: unknown): error is Problem {
  return typeof error === 'object' && error !== null && 'param' in error && 'code' in error && 'message' in error;
}
