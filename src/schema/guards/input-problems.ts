/**
 * Validates a value against an input type: types, unknown and missing names, ranges, texts that cannot be stored, and
 * constraints. GraphQL's own coercion stops after a few errors and reports them as prose; this reports all of them with
 * their paths, and never changes a value (docs/decisions.md: coercion).
 */
import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { Problem, ProblemCode } from '../../errors.js';
import { nearest } from '../../nearest.js';
import { type Constraint, constraintOf } from '../inputs/constraint.js';
import { kindOf, kindOfType, valueProblem } from './value-problem.js';

/** The most problems reported, so that the answer to a hostile body is not longer than the body. */
export const mostProblems = 50;

/** The longest path to a value. Filters may contain filters; deeper ones are too complex for a database. */
export const longestPath = 24;

type Path = Problem['path'];

interface Named {
  type: GraphQLInputType;
  constraint: Constraint;
}

/**
 * The problems of a value under `path`, at most 50. `undefined` means left out. A coerced value already has the right
 * type, so only the rest is checked.
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

  const visit = (given: unknown, wanted: GraphQLInputType, rule: Constraint, at: Path, within: Fields = {}): void => {
    if (problems.length >= mostProblems) return;
    if (isNonNullType(wanted)) {
      if (given === undefined) return add(at, 'parameter_missing', 'is required');
      if (given === null)
        return add(at, 'parameter_invalid', `is required and cannot be null; send ${kindOfType(wanted)}`);
      return visit(given, wanted.ofType, rule, at, within);
    }
    if (given === undefined) return;
    if (given === null) {
      const { notNull } = rule;
      const instead = typeof notNull === 'function' ? notNull(within) : notNull;
      if (instead) add(at, 'parameter_invalid', `cannot be null; ${instead}`);
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
    const message = valueProblem(given, wanted, rule, isCoerced);
    if (message) add(at, 'parameter_invalid', message);
  };

  const visitObject = (given: unknown, wanted: GraphQLInputObjectType, at: Path): void => {
    if (!isObject(given)) return add(at, 'parameter_invalid', `must be an object, not ${kindOf(given)}`);
    if (at.length > longestPath) return add(at.slice(0, 1), 'parameter_invalid', 'is nested too deep');
    objects++;
    const fields = wanted.getFields();
    for (const field of Object.values(fields)) {
      const isLeftOut = !Object.hasOwn(given, field.name) || given[field.name] === undefined;
      if (isLeftOut && (field.defaultValue !== undefined || !isNonNullType(field.type))) continue;
      visit(isLeftOut ? undefined : given[field.name], field.type, constraintOf(field), [...at, field.name], given);
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

/** The message for a name that is not in `known`. */
export function unknownName(name: string, known: readonly string[]): string {
  const meant = name.length <= 100 ? nearest(name, known) : undefined;
  return meant ? `is not a name that is known here; did you mean \`${meant}\`?` : 'is not a name that is known here';
}

/** A name, shortened for an error message. */
export const shortened = (name: string): string => (name.length <= 100 ? name : `${name.slice(0, 100)}…`);

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
