/**
 * Everything wrong with a value that is to be used as an input type: wrong types, unknown and missing names, numbers out
 * of range, text no database can hold, and what the constraints add. GraphQL's own coercion stops at the first few and
 * tells them in prose; this finds them all, each with its path, and never changes a value (decision: coercion).
 */
import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isSpecifiedScalarType,
} from 'graphql';
import type { Problem, ProblemCode } from '../errors.js';
import { isInt32, isStorableText } from '../model/storable.js';
import { nearest } from '../nearest.js';
import { type Constraint, constraintOf } from './constraint.js';

/** More would help nobody, and would make the answer to a hostile body longer than the body. */
const mostProblems = 50;

/** Names and positions on the way to a value. Filters hold filters; beyond this a database cannot follow them. */
const longestPath = 24;

type Path = Problem['path'];

interface Named {
  type: GraphQLInputType;
  constraint: Constraint;
}

/**
 * The problems of one value under `path`, 50 at most. `undefined` is a value left out. A value that GraphQL has coerced
 * already has the form of its type, enums and custom scalars included; then the rest is checked.
 */
export function inputProblems(
  value: unknown,
  { type, constraint }: Named,
  path: Path,
  { isCoerced = false } = {},
): Problem[] {
  const problems: Problem[] = [];
  const add = (at: Path, code: ProblemCode, message: string) => {
    if (problems.length < mostProblems) problems.push({ path: at, code, message });
  };

  let objects = 0;
  let values = 0;

  const visit = (given: unknown, wanted: GraphQLInputType, rule: Constraint, at: Path): void => {
    if (problems.length >= mostProblems) return;
    if (isNonNullType(wanted)) {
      if (given === undefined) return add(at, 'parameter_missing', 'is required');
      if (given === null) return add(at, 'parameter_invalid', 'is required and cannot be null');
      return visit(given, wanted.ofType, rule, at);
    }
    if (given === undefined) return;
    if (given === null) {
      if (rule.notNull) add(at, 'parameter_invalid', `cannot be null; ${rule.notNull}`);
      return;
    }
    if (isListType(wanted)) {
      if (!Array.isArray(given)) return visit(given, wanted.ofType, {}, at);
      if (rule.maximumLength !== undefined && given.length > rule.maximumLength) {
        return add(at, 'parameter_invalid', `must hold at most ${rule.maximumLength} items, not ${given.length}`);
      }
      for (const [index, item] of given.entries()) visit(item ?? null, wanted.ofType, {}, [...at, index]);
      return;
    }
    if (isInputObjectType(wanted)) return visitObject(given, wanted, at);
    values++;
    const message = isEnumType(wanted)
      ? enumProblem(given, wanted, isCoerced)
      : (scalarProblem(given, wanted.name, rule) ?? (isCoerced ? undefined : customProblem(given, wanted)));
    if (message) add(at, 'parameter_invalid', message);
  };

  const visitObject = (given: unknown, wanted: GraphQLInputObjectType, at: Path): void => {
    if (!isObject(given)) return add(at, 'parameter_invalid', `must be an object, not ${kindOf(given)}`);
    if (at.length > longestPath) return add(at.slice(0, 1), 'parameter_invalid', 'is nested too deep');
    objects++;
    const fields = wanted.getFields();
    for (const field of Object.values(fields)) {
      const isLeftOut = !Object.hasOwn(given, field.name) || given[field.name] === undefined;
      if (isLeftOut && field.defaultValue !== undefined) continue;
      visit(isLeftOut ? undefined : given[field.name], field.type, constraintOf(field), [...at, field.name]);
    }
    for (const name of Object.keys(given)) {
      if (problems.length >= mostProblems) return;
      if (!Object.hasOwn(fields, name))
        add([...at, shortened(name)], 'parameter_unknown', unknownName(name, Object.keys(fields)));
    }
  };

  visit(value, type, constraint, path);
  const { mostObjects = Infinity, mostValues = Infinity } = constraint;
  if (objects > mostObjects || values > mostValues) {
    add(path, 'parameter_invalid', `must hold at most ${mostObjects} objects and ${mostValues} values in all`);
  }
  return problems;
}

/** What to say of a name that is none of `known`. */
export function unknownName(name: string, known: readonly string[]): string {
  const meant = name.length <= 100 ? nearest(name, known) : undefined;
  return meant ? `is not a name that is known here; did you mean \`${meant}\`?` : 'is not a name that is known here';
}

/** A name as it may be repeated to its sender. */
export const shortened = (name: string): string => (name.length <= 100 ? name : `${name.slice(0, 100)}…`);

function scalarProblem(
  value: unknown,
  type: string,
  { oneOf, minimum, maximum, longest }: Constraint,
): string | undefined {
  switch (type) {
    case 'String':
    case 'ID':
      if (typeof value !== 'string') return `must be a string, not ${kindOf(value)}`;
      if (!isStorableText(value)) return 'must be text without U+0000 and without halves of surrogate pairs';
      if (longest !== undefined && value.length > longest) return `must have at most ${longest} characters`;
      if (oneOf && !oneOf.includes(value)) return `must be ${oneOf.map((word) => `"${word}"`).join(' or ')}`;
      return undefined;
    case 'Boolean':
      return typeof value === 'boolean' ? undefined : `must be true or false, not ${kindOf(value)}`;
    case 'Float':
      if (typeof value !== 'number') return `must be a number, not ${kindOf(value)}`;
      return Number.isFinite(value) ? undefined : 'must be a number within the range of a double';
    case 'Int':
      if (typeof value !== 'number') return `must be a whole number, not ${kindOf(value)}`;
      if (!isInt32(value)) return 'must be a whole number from -2147483648 to 2147483647';
      return rangeProblem(value, minimum, maximum);
    default:
      return undefined;
  }
}

function rangeProblem(value: number, minimum = -Infinity, maximum = Infinity): string | undefined {
  if (value >= minimum && value <= maximum) return undefined;
  return maximum === Infinity ? `must be ${minimum} or more` : `must be a whole number from ${minimum} to ${maximum}`;
}

function enumProblem(value: unknown, type: GraphQLEnumType, isCoerced: boolean): string | undefined {
  const values = type.getValues();
  if (isCoerced || values.some(({ name }) => name === value)) return undefined;
  const names = values.map(({ name }) => name);
  const meant = typeof value === 'string' && value.length <= 100 ? nearest(value, names) : undefined;
  return meant ? `must be one of its named values; did you mean ${meant}?` : `must be one of ${names.join(', ')}`;
}

/** What a scalar of our own says of a value it does not take. */
function customProblem(value: unknown, type: GraphQLScalarType): string | undefined {
  if (isSpecifiedScalarType(type)) return undefined;
  try {
    type.parseValue(value);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'cannot be used';
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  const kinds: Record<string, string> = { string: 'a string', number: 'a number', boolean: 'a boolean' };
  return kinds[typeof value] ?? 'an object';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
