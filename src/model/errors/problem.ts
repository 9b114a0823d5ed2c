import { isObject } from '../../common/is-object.js';
import { readJson } from '../../common/read-json.js';
import { isStorableText } from '../field.js';
import { longestGivenName } from '../limits.js';

/** A problem with one value of the input. */
export interface Problem {
  /**
   * The location: names and 0-based positions from the operation's argument inwards, such as `['input',
   * 'consumedItems', 2, 'qty']`.
   */
  path: (string | number)[];
  code: ProblemCode;
  /**
   * What is wrong and what to send, as the end of a sentence that begins with the name: `must be a number, not a
   * string`.
   */
  message: string;
  /** Further details for programs, with camelCase names, such as the `missing` and `unexpected` ids of a reorder. */
  details?: Record<string, unknown>;
  /** Whether a limit is exceeded, beyond which the input is not checked. */
  isTooMuch?: true;
  /** The number of problems that are not listed, if this one stands for them. */
  more?: number;
  /** Whether the value is passed to another field of the operation than the refused one. */
  isElsewhere?: true;
}

/** Kinds of problems; each is also a code of REST. */
export type ProblemCode =
  | 'parameter_missing'
  | 'parameter_unknown'
  | 'parameter_invalid'
  | 'parameter_immutable'
  | 'resource_missing'
  | 'reorder_mismatch'
  | 'version_conflict'
  | 'invalid_state'
  | 'forbidden';

export const invalid = (path: Problem['path'], message: string): Problem => ({
  path,
  code: 'parameter_invalid',
  message,
});

/** The object that is given as JSON, by default an empty one; adds what is wrong with it to `problems`. */
export function objectIn(
  text: string | null | undefined,
  path: Problem['path'],
  problems: Problem[],
): Record<string, unknown> {
  try {
    const object = readJson(text ?? '{}');
    if (isObject(object)) return object;
    problems.push(invalid(path, 'must be an object in JSON'));
  } catch (error) {
    problems.push(invalid(path, `is ${error instanceof Error ? error.message : error}`));
  }
  return {};
}

export const inInput = (problem: Problem): Problem => ({ ...problem, path: ['input', ...problem.path] });

/** The most problems listed, so that the answer to a hostile body is not longer than the body. */
export const mostProblems = 50;

/** The first problems, and one that says how many more there are. */
export const listedProblems = (problems: readonly Problem[]): Problem[] => listedAs(problems, (notListed) => notListed);

/** The same for problems in another form. */
export function listedAs<Each extends Pick<Problem, 'code' | 'more'>>(
  problems: readonly Each[],
  formed: (notListed: Problem) => Each,
): Each[] {
  const single = problems.filter(({ more }) => more === undefined);
  const others = [...single.slice(mostProblems), ...problems.filter(({ more }) => more !== undefined)];
  const [first] = others;
  if (!first) return single;
  const code = others.every((each) => each.code === first.code) ? first.code : 'parameter_invalid';
  const more = others.reduce((sum, each) => sum + (each.more ?? 1), 0);
  return [...single.slice(0, mostProblems), formed(notListed(more, code))];
}

export const notListed = (more: number, code: ProblemCode): Problem => ({
  path: [],
  code,
  message: more === 1 ? 'has 1 more problem, which is not listed' : `has ${more} more problems, which are not listed`,
  more,
});

/** The problems of a name that people choose, such as that of a key. */
export function nameProblems(name: string): Problem[] {
  // Names are printed on terminals, where control characters could do harm.
  const isPlain =
    isStorableText(name) &&
    !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) &&
    name.trim() !== '' &&
    name.length <= longestGivenName;
  const message = `must be 1 to ${longestGivenName} characters without control characters`;
  return isPlain ? [] : [invalid(['name'], message)];
}
