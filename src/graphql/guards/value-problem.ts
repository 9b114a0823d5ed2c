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
import { nearest } from '../../common/nearest.js';
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
export function checkedType(type: GraphQLInputType): CheckedType {
  const known = knownTypes.get(type);
  if (known) return known;
  const plain = getNullableType(type);
  const checked = { type: plain, isNonNull: isNonNullType(type), content: contentOf(plain) };
  knownTypes.set(type, checked);
  return checked;
}

const knownTypes = new WeakMap<GraphQLInputType, CheckedType>();
const knownFields = new WeakMap<GraphQLInputObjectType, CheckedFields>();

function contentOf(type: ReturnType<typeof getNullableType<GraphQLInputType>>): CheckedType['content'] {
  if (isListType(type)) return { kind: 'list', item: checkedType(type.ofType) };
  if (isInputObjectType(type)) return { kind: 'object', fieldsOf: () => checkedFields(type) };
  return { kind: 'value', check: valueCheck(type) };
}

function checkedFields(type: GraphQLInputObjectType): CheckedFields {
  const known = knownFields.get(type);
  if (known) return known;
  const definitions = Object.values(type.getFields());
  const fields = definitions.map(
    (field, place): CheckedField => ({
      name: field.name,
      place,
      type: checkedType(field.type),
      constraint: constraintOf(field),
    }),
  );
  const checked = {
    byName: new Map(fields.map((field) => [field.name, field])),
    required: fields.filter(
      ({ type: { isNonNull } }, place) => isNonNull && definitions[place]?.defaultValue === undefined,
    ),
  };
  knownFields.set(type, checked);
  return checked;
}
