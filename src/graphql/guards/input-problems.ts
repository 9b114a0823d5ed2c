/**
 * Validates a value against an input type: types, unknown and missing names, ranges, texts that cannot be stored, and
 * constraints. GraphQL's own coercion reports errors as prose that quotes the whole value; this finds all of them with
 * their paths, looks at each value once, and never changes one (docs/decisions.md: coercion).
 */
import { isObject } from '../../common/is-object.js';
import { nearest } from '../../common/nearest.js';
import { mostProblems, notListed, type Problem, type ProblemCode } from '../../model/errors/problem.js';
import type { Constraint } from '../inputs/filters.js';
import { aloneProblem, type CheckedFields, type CheckedType, kindOf, kindOfType } from './value-problem.js';

/** The longest path to a value. Filters may contain filters; deeper ones are too complex for a database. */
export const longestPath = 24;

type Path = Problem['path'];

interface Named {
  type: CheckedType;
  constraint: Constraint;
}

/**
 * The problems of a value under `path`: the first ones, for which there is `room`, and how many more there are of each
 * kind. `undefined` means left out. A coerced value already has the right type, so only the rest is checked.
 */
export function inputProblems(
  value: unknown,
  { type, constraint }: Named,
  path: Path,
  { isCoerced = false, room = mostProblems } = {},
): Problem[] {
  const problems: Problem[] = [];
  /** The numbers of further problems, which are only counted. */
  const others = new Map<ProblemCode, number>();
  const count = (code: ProblemCode) => others.set(code, (others.get(code) ?? 0) + 1);
  /** The limit that the value exceeds: nothing more of it is checked. */
  let limit: Problem | undefined;
  /** The path of the value that is being checked; problems get a copy. */
  const at = [...path];
  const isListed = () => problems.length < room;
  const add = (code: ProblemCode, message: string) => {
    if (isListed()) problems.push({ path: [...at], code, message });
    else count(code);
  };
  const exceed = (whole: Path, message: string) => {
    limit ??= { path: [...whole], code: 'parameter_invalid', message, isTooMuch: true };
  };

  const { mostObjects = Infinity, mostValues = Infinity } = constraint;
  let objects = 0;
  let values = 0;
  const bound = () => {
    if (objects <= mostObjects && values <= mostValues) return;
    const limits = [`${mostObjects} objects`, `${mostValues} values`].filter((each) => !each.startsWith('Infinity'));
    exceed(path, `must hold at most ${limits.join(' and ')} in all`);
  };

  const visit = (given: unknown, wanted: CheckedType, rule: Constraint, within: Fields = {}): void => {
    if (given === undefined) {
      if (wanted.isNonNull) add('parameter_missing', 'is required');
      return;
    }
    if (given === null) return visitNull(wanted, rule, within);
    const { content } = wanted;
    if (content.kind === 'value') {
      values++;
      bound();
      const message = content.check(given, rule, isCoerced, isListed()) ?? aloneProblem(given, rule, within);
      if (message) add('parameter_invalid', message);
    } else if (content.kind === 'object') visitObject(given, content.fieldsOf());
    else if (Array.isArray(given)) visitList(given, content.item, rule);
    else visit(given, content.item, rule.takesPast ? { takesPast: true } : {});
  };

  const visitNull = (wanted: CheckedType, rule: Constraint, within: Fields): void => {
    if (wanted.isNonNull) {
      const kind = wanted.content.kind === 'object' ? 'an object' : kindOfType(wanted.type);
      return add('parameter_invalid', `is required and cannot be null; send ${kind}`);
    }
    const instead = typeof rule.notNull === 'function' ? rule.notNull(within) : rule.notNull;
    if (instead) add('parameter_invalid', `cannot be null; ${instead}`);
  };

  const visitList = (given: readonly unknown[], item: CheckedType, { maximumLength, takesPast }: Constraint): void => {
    if (maximumLength !== undefined && given.length > maximumLength)
      return exceed(at, `must hold at most ${maximumLength} items, not ${given.length}`);
    const ofItem = takesPast ? { takesPast } : {};
    for (const [index, each] of given.entries()) {
      if (limit) return;
      below(index, each ?? null, item, ofItem);
    }
  };

  const visitObject = (given: unknown, { byName, required }: CheckedFields): void => {
    if (!isObject(given)) return add('parameter_invalid', `must be an object, not ${kindOf(given)}`);
    if (at.length > longestPath) return exceed(at.slice(0, 1), 'is nested too deep');
    objects++;
    bound();
    const before = problems.length;
    const unknown: string[] = [];
    // Only given names are visited: most inputs give few of the fields that they may give.
    for (const name in given) {
      if (limit) return;
      const field = byName.get(name);
      if (field) {
        if (given[name] !== undefined) below(name, given[name], field.type, field.constraint, given);
      } else if (unknown.length < mostProblems) unknown.push(name);
      else count('parameter_unknown');
    }
    for (const { name, type, constraint } of required) {
      if (!Object.hasOwn(given, name) || given[name] === undefined) below(name, undefined, type, constraint, given);
    }
    if (problems.length > before + 1) inOrderOf(byName, problems, before, at.length);
    for (const name of unknown) {
      at.push(shortenedName(name));
      // A suggestion compares the name with all others.
      add('parameter_unknown', isListed() ? unknownName(name, [...byName.keys()]) : '');
      at.pop();
    }
  };

  const below = (name: string | number, given: unknown, type: CheckedType, rule: Constraint, within?: Fields): void => {
    at.push(name);
    visit(given, type, rule, within);
    at.pop();
  };

  visit(value, type, constraint);
  return [...(limit ? [limit] : []), ...problems, ...[...others].map(([code, more]) => notListed(more, code))];
}

/** Puts the problems from `start` on into the order of the fields, whose names are at `depth` of their paths. */
function inOrderOf(byName: CheckedFields['byName'], problems: Problem[], start: number, depth: number): void {
  const place = ({ path }: Problem) => byName.get(String(path[depth]))?.place ?? 0;
  const sorted = problems.splice(start).sort((one, other) => place(one) - place(other));
  problems.push(...sorted);
}

type Fields = Readonly<Record<string, unknown>>;

/** Messages for unknown names. */

/** The message for a name that is not in `known`. */
export function unknownName(name: string, known: readonly string[]): string {
  const meant = name.length <= 100 ? nearest(name, known) : undefined;
  return `is not a name that is known here; ${meant ? `did you mean \`${meant}\`?` : 'leave it out, or correct it'}`;
}

/** A name, shortened for an error message. */
export const shortenedName = (name: string): string => (name.length <= 100 ? name : `${name.slice(0, 100)}…`);
