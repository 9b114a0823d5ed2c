import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLScalarType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isSpecifiedScalarType,
} from 'graphql';
import { isObject } from '../../common/is-object.js';
import { oncePer } from '../../common/kept.js';
import { nearest } from '../../common/nearest.js';
import { mostProblems, notListed, type Problem, type ProblemCode } from '../../model/errors/problem.js';
import { type FieldType, isInt32, isStorableText } from '../../model/field.js';
import { isOfPast, pastIdIn } from '../../model/ids.js';
import { type Constraint, constraintOf } from '../inputs/filters.js';

/**
 * Returns the problem of a scalar or enum value, as the end of a sentence that begins with its name; undefined if there
 * is none. A coerced value already has the right type. Only a message that is listed gets a suggestion.
 */
export type CheckValue = (
  value: unknown,
  constraint: Constraint,
  isCoerced: boolean,
  isListed?: boolean,
) => string | undefined;

/** The check of the values of a type. */
export function valueCheck(type: GraphQLLeafType): CheckValue {
  if (isEnumType(type)) return (value, { oneOf }, ...how) => enumProblem(value, type, oneOf, ...how);
  const { name } = type;
  if (isSpecifiedScalarType(type)) return (value, constraint) => scalarProblem(value, name, constraint);
  return (value, constraint, isCoerced) =>
    scalarProblem(value, name, constraint) ?? (isCoerced ? undefined : customProblem(value, type));
}

/** The problem of a value that means nothing without others beside it. */
export function aloneProblem(
  given: unknown,
  { besides }: Constraint,
  within: Readonly<Record<string, unknown>>,
): string | undefined {
  if (given !== true || !besides || besides.some((name) => within[name] != null)) return undefined;
  return `has no effect by itself; give ${besides.map((name) => `\`${name}\``).join(' or ')} beside it`;
}

/** Describes what a value is, for an error message: `a string`, `a list`. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  const kinds: Record<string, string> = { string: 'a string', number: 'a number', boolean: 'a boolean' };
  return kinds[typeof value] ?? 'an object';
}

/** Describes what a value of the type is, for an error message: `a string`. */
export function kindOfType(type: GraphQLInputType): string {
  const plain = getNullableType(type);
  if (isListType(plain)) return 'a list';
  if (isEnumType(plain)) return 'one of its named values';
  return isInputObjectType(plain) ? 'an object' : (kindsOfValue[plain.name] ?? 'a string');
}

/** The same for the types of record fields. */
export const kindsOfValue: Record<string, string> & Record<FieldType, string> = {
  String: 'a string',
  Int: 'a whole number',
  Float: 'a number',
  Boolean: 'true or false',
  _Any: 'an object',
};

function scalarProblem(
  value: unknown,
  type: string,
  { oneOf, minimum, maximum, notEmpty, longest, namesRecord, takesPast }: Constraint,
): string | undefined {
  switch (type) {
    case 'String':
    case 'ID':
      if (typeof value !== 'string') return `must be a string, not ${kindOf(value)}`;
      if (!isStorableText(value)) return 'must be text without U+0000 and without halves of surrogate pairs';
      if ((type === 'ID' || namesRecord) && !takesPast && pastIdIn(value)) return isOfPast;
      if (notEmpty && value === '') return 'must not be empty';
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
      if (isInt32(value)) return rangeProblem(value, minimum, maximum);
      return `must be a whole number from ${minimum ?? -2147483648} to ${maximum ?? 2147483647}`;
    default:
      return undefined;
  }
}

function rangeProblem(value: number, minimum = -Infinity, maximum = Infinity): string | undefined {
  if (value >= minimum && value <= maximum) return undefined;
  return maximum === Infinity ? `must be ${minimum} or more` : `must be a whole number from ${minimum} to ${maximum}`;
}

function enumProblem(
  given: unknown,
  type: GraphQLEnumType,
  oneOf: readonly string[] | undefined,
  isCoerced: boolean,
  isListed: boolean | undefined,
): string | undefined {
  if (isCoerced && !oneOf) return undefined;
  const values = type.getValues().filter(({ value }) => !oneOf || oneOf.includes(value));
  const names = values.map(({ name }) => name);
  if (values.some(({ name, value }) => (isCoerced ? value : name) === given)) return undefined;
  if (oneOf) return `must be ${names.join(' or ')}`;
  const value = given;
  const meant = isListed && typeof value === 'string' && value.length <= 100 ? nearest(value, names) : undefined;
  return meant ? `must be one of its named values; did you mean ${meant}?` : `must be one of ${names.join(', ')}`;
}

/** The problem that a custom scalar reports. */
function customProblem(value: unknown, type: GraphQLScalarType): string | undefined {
  try {
    type.parseValue(value);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'cannot be used';
  }
}

/**
 * Input types in the form in which values are checked against them. GraphQL.js keeps the fields of an input type in an
 * object that is slow to go through, and wraps types in NonNull and List; both are taken apart once for each type.
 */
export interface CheckedType {
  /** The type itself, without NonNull, for messages. */
  type: GraphQLInputType;
  isNonNull: boolean;
  content:
    | { kind: 'list'; item: CheckedType }
    | { kind: 'object'; fieldsOf: () => CheckedFields }
    | { kind: 'value'; check: CheckValue };
}

export interface CheckedFields {
  byName: ReadonlyMap<string, CheckedField>;
  /** The fields that may not be left out. */
  required: readonly CheckedField[];
}

export interface CheckedField {
  name: string;
  /** Its place among the fields of the type. */
  place: number;
  type: CheckedType;
  constraint: Constraint;
}

/** The checked form of a type. Fields of objects are looked at when they are needed, because filters hold filters. */
export const checkedType: (type: GraphQLInputType) => CheckedType = oncePer((type: GraphQLInputType) => {
  const plain = getNullableType(type);
  return { type: plain, isNonNull: isNonNullType(type), content: contentOf(plain) };
});

function contentOf(type: ReturnType<typeof getNullableType<GraphQLInputType>>): CheckedType['content'] {
  if (isListType(type)) return { kind: 'list', item: checkedType(type.ofType) };
  if (isInputObjectType(type)) return { kind: 'object', fieldsOf: () => checkedFields(type) };
  return { kind: 'value', check: valueCheck(type) };
}

const checkedFields = oncePer((type: GraphQLInputObjectType): CheckedFields => {
  const definitions = Object.values(type.getFields());
  const fields = definitions.map(
    (field, place): CheckedField => ({
      name: field.name,
      place,
      type: checkedType(field.type),
      constraint: constraintOf(field),
    }),
  );
  return {
    byName: new Map(fields.map((field) => [field.name, field])),
    required: fields.filter(
      ({ type: { isNonNull } }, place) => isNonNull && definitions[place]?.defaultValue === undefined,
    ),
  };
});

// Validates a value against an input type: types, unknown and missing names, ranges, texts that cannot be stored, and
// constraints. GraphQL's own coercion reports errors as prose that quotes the whole value; this finds all of them with
// their paths, looks at each value once, and never changes one (docs/decisions.md: coercion).

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

// Messages for unknown names.

/** The message for a name that is not in `known`. */
export function unknownName(name: string, known: readonly string[]): string {
  const meant = name.length <= 100 ? nearest(name, known) : undefined;
  return `is not a name that is known here; ${meant ? `did you mean \`${meant}\`?` : 'leave it out, or correct it'}`;
}

/** A name, shortened for an error message. */
export const shortenedName = (name: string): string => (name.length <= 100 ? name : `${name.slice(0, 100)}…`);
