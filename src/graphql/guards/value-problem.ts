import {
  type GraphQLEnumType,
  type GraphQLInputType,
  type GraphQLScalarType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { nearest } from '../../common/nearest.js';
import type { FieldType } from '../../model/field.js';
import type { Constraint } from '../inputs/filters.js';

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

export function enumProblem(
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

export function customProblem(value: unknown, type: GraphQLScalarType): string | undefined {
  try {
    type.parseValue(value);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'cannot be used';
  }
}

export function unknownName(name: string, known: readonly string[]): string {
  const meant = name.length <= 100 ? nearest(name, known) : undefined;
  return `is not a name that is known here; ${meant ? `did you mean \`${meant}\`?` : 'leave it out, or correct it'}`;
}

/** A name, shortened for an error message. */
export const shortenedName = (name: string): string => (name.length <= 100 ? name : `${name.slice(0, 100)}…`);
