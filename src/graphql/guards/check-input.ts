import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { isObject } from '../../common/is-object.js';
import { oncePer } from '../../common/kept.js';
import { mostProblems, notListed, type Problem, type ProblemCode } from '../../model/errors/problem.js';
import { isInt32, isStorableText } from '../../model/field.js';
import { isOfPast, pastIdIn } from '../../model/ids.js';
import { type Constraint, constraintOf } from '../inputs/filters.js';
import {
  aloneProblem,
  customProblem,
  enumProblem,
  kindOf,
  kindOfType,
  shortenedName,
  unknownName,
} from './value-problem.js';

/**
 * Returns the problem of a scalar or enum value, as the end of a sentence that begins with its name; undefined if there
 * is none. A coerced value already has the right type. Only a message that is listed gets a suggestion.
 */
type CheckValue = (
  value: unknown,
  constraint: Constraint,
  isCoerced: boolean,
  isListed?: boolean,
) => string | undefined;

export function valueCheck(type: GraphQLLeafType): CheckValue {
  if (isEnumType(type)) return (value, { oneOf }, ...how) => enumProblem(value, type, oneOf, ...how);
  const { name } = type;
  if (isSpecifiedScalarType(type)) return (value, constraint) => scalarProblem(value, name, constraint);
  return (value, constraint, isCoerced) =>
    scalarProblem(value, name, constraint) ?? (isCoerced ? undefined : customProblem(value, type));
}

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
  /** Makes the value that GraphQL knows of one that was sent; undefined where they are the same. */
  coerce?: ((value: unknown) => unknown) | undefined;
}

export interface CheckedFields {
  byName: ReadonlyMap<string, CheckedField>;
  /** The fields that may not be left out. */
  required: readonly CheckedField[];
  /** The values of those that are left out. */
  defaults: readonly { name: string; usual: unknown }[];
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
  return { type: plain, isNonNull: isNonNullType(type), content: contentOf(plain), coerce: coercionOf(plain) };
});

type Nullable = ReturnType<typeof getNullableType<GraphQLInputType>>;

function contentOf(type: Nullable): CheckedType['content'] {
  if (isListType(type)) return { kind: 'list', item: checkedType(type.ofType) };
  if (isInputObjectType(type)) return { kind: 'object', fieldsOf: () => checkedFields(type) };
  return { kind: 'value', check: valueCheck(type) };
}

function coercionOf(type: Nullable): CheckedType['coerce'] {
  if (isEnumType(type)) return (name) => type.getValue(String(name))?.value;
  return isScalarType(type) && !isSpecifiedScalarType(type) ? type.parseValue : undefined;
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
    defaults: definitions.flatMap((field) =>
      field.defaultValue === constraintOf(field).usual ? [] : { name: field.name, usual: field.defaultValue },
    ),
  };
});

// Validates a value against an input type: types, unknown and missing names, ranges, texts that cannot be stored, and
// constraints. GraphQL's own coercion reports errors as prose that quotes the whole value; this finds all of them with
// their paths, and looks at each value once. It takes no value for another (docs/decisions.md: coercion); what comes out
// differs from what was sent only by the values behind the names of enums, by those of custom scalars, by defaults, and
// by the list around a single value.

/** Filters may contain filters; deeper ones are too complex for a database. */
export const longestPath = 24;

type Path = Problem['path'];

interface Named {
  type: CheckedType;
  constraint: Constraint;
}

interface CheckedInput {
  problems: Problem[];
  /** As GraphQL coerces it, where it has no problems; whatever coercion does not change is that which was given. */
  value: unknown;
}

/**
 * Checks a value under `path`, and coerces it. Of its problems there are the first ones, for which there is `room`, and how
 * many more there are of each kind. `undefined` means left out. A coerced value already has the right type, so only the
 * rest is checked; of one that `isChecked`, with nothing in it that the constraint counts, only the value itself.
 */
export function checkInput(
  value: unknown,
  { type, constraint }: Named,
  path: Path,
  { isCoerced = false, isChecked = false, room = mostProblems } = {},
): CheckedInput {
  if (value === undefined && !type.isNonNull) return { problems: [], value };
  if (value != null && isRight(value, type, constraint, isCoerced, isChecked))
    return { problems: [], value: isCoerced || !type.coerce ? value : type.coerce(value) };
  const problems: Problem[] = [];
  /** The numbers of further problems, which are only counted. */
  const others = new Map<ProblemCode, number>();
  const count = (code: ProblemCode) => others.set(code, (others.get(code) ?? 0) + 1);
  /** The limit that the value exceeds: nothing more of it is checked. */
  let limit: Problem | undefined;
  const at = [...path]; // Of the value that is being checked; problems get a copy.
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

  const visit = (given: unknown, wanted: CheckedType, rule: Constraint, within: Fields = {}): unknown => {
    if (given === undefined) {
      if (wanted.isNonNull) add('parameter_missing', 'is required');
      return given;
    }
    if (given === null) {
      visitNull(wanted, rule, within);
      return given;
    }
    const { content } = wanted;
    if (content.kind === 'object') return visitObject(given, content.fieldsOf());
    if (content.kind === 'list') {
      if (Array.isArray(given)) return visitList(given, content.item, rule);
      return [visit(given, content.item, rule.takesPast ? { takesPast: true } : {})];
    }
    values++;
    bound();
    const message =
      content.check(given, rule, isCoerced, isListed()) ?? (rule.besides && aloneProblem(given, rule, within));
    if (message) add('parameter_invalid', message);
    return message || isCoerced || !wanted.coerce ? given : wanted.coerce(given);
  };

  const visitNull = (wanted: CheckedType, rule: Constraint, within: Fields): void => {
    if (wanted.isNonNull) {
      const kind = wanted.content.kind === 'object' ? 'an object' : kindOfType(wanted.type);
      return add('parameter_invalid', `is required and cannot be null; send ${kind}`);
    }
    const instead = typeof rule.notNull === 'function' ? rule.notNull(within) : rule.notNull;
    if (instead) add('parameter_invalid', `cannot be null; ${instead}`);
  };

  const visitList = (
    given: readonly unknown[],
    item: CheckedType,
    { maximumLength, takesPast }: Constraint,
  ): unknown => {
    if (maximumLength !== undefined && given.length > maximumLength)
      return exceed(at, `must hold at most ${maximumLength} items, not ${given.length}`);
    const ofItem = takesPast ? { takesPast } : {};
    let coerced: unknown[] | undefined;
    for (const [index, each] of given.entries()) {
      if (limit) break;
      const inside = below(index, each ?? null, item, ofItem);
      if (inside === each) continue;
      coerced ??= [...given];
      coerced[index] = inside;
    }
    return coerced ?? given;
  };

  const visitObject = (given: unknown, { byName, required, defaults }: CheckedFields): unknown => {
    if (!isObject(given)) return add('parameter_invalid', `must be an object, not ${kindOf(given)}`);
    if (at.length > longestPath) return exceed(at.slice(0, 1), 'is nested too deep');
    objects++;
    bound();
    const before = problems.length;
    const unknown: string[] = [];
    let coerced: Record<string, unknown> | undefined;
    // Only given names are visited. A closure that copies would take as long as the whole walk.
    for (const name in given) {
      if (limit) return given;
      const field = byName.get(name);
      if (field) {
        const each = given[name];
        if (each === undefined) continue;
        const inside = below(name, each, field.type, field.constraint, given);
        if (inside === each) continue;
        coerced ??= { ...given };
        coerced[name] = inside;
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
    if (isCoerced) return given;
    for (const { name, usual } of defaults) {
      if (given[name] !== undefined) continue;
      coerced ??= { ...given };
      coerced[name] = usual;
    }
    return coerced ?? given;
  };

  const below = (
    name: string | number,
    given: unknown,
    type: CheckedType,
    rule: Constraint,
    within?: Fields,
  ): unknown => {
    at.push(name);
    const inside = visit(given, type, rule, within);
    at.pop();
    return inside;
  };

  const checked = visit(value, type, constraint);
  const listed = [...(limit ? [limit] : []), ...problems, ...[...others].map(([code, more]) => notListed(more, code))];
  return { problems: listed, value: checked };
}

/**
 * Whether a value has no problems, as most of scalars and enums have: collecting none takes longer than to see it. Of any other
 * only where what is inside has been checked.
 */
function isRight(
  value: unknown,
  { content }: CheckedType,
  constraint: Constraint,
  isCoerced: boolean,
  isChecked: boolean,
): boolean {
  const { besides, maximumLength = Infinity, mostObjects, mostValues } = constraint;
  if (content.kind === 'value') return !besides && content.check(value, constraint, isCoerced) === undefined;
  const isCounted = mostObjects !== undefined || mostValues !== undefined;
  return isChecked && !isCounted && !(Array.isArray(value) && value.length > maximumLength);
}

/** Puts the problems from `start` on into the order of the fields, whose names are at `depth` of their paths. */
function inOrderOf(byName: CheckedFields['byName'], problems: Problem[], start: number, depth: number): void {
  const place = ({ path }: Problem) => byName.get(String(path[depth]))?.place ?? 0;
  const sorted = problems.splice(start).sort((one, other) => place(one) - place(other));
  problems.push(...sorted);
}

type Fields = Readonly<Record<string, unknown>>;
