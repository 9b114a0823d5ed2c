/**
 * The values behind the names of enums in the value of a variable. Admission has checked the names; everything else in the
 * value is left as it is, because coercion would not change it.
 */
import {
  type GraphQLEnumType,
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { isObject } from '../../common/is-object.js';

type Convert = (value: unknown) => unknown;

/** Undefined for a type without enums, whose values need no conversion. Types must not contain themselves. */
export function enumConversion(type: GraphQLInputType): Convert | undefined {
  const plain = getNullableType(type);
  if (isEnumType(plain)) return (value) => valueBehind(plain, value);
  if (isListType(plain)) {
    const item = enumConversion(plain.ofType);
    return item && ((value) => (Array.isArray(value) ? convertedList(value, item) : item(value)));
  }
  if (!isInputObjectType(plain)) return undefined;
  const members = Object.values(plain.getFields()).flatMap(({ name, type: inner }) => {
    const convert = enumConversion(inner);
    return convert ? [{ name, convert }] : [];
  });
  return members.length === 0 ? undefined : (value) => (isObject(value) ? converted(value, members) : value);
}

/** The list itself if no item changes, otherwise a copy. */
function convertedList(list: readonly unknown[], convert: Convert): readonly unknown[] {
  const found = list.map(convert);
  return found.every((item, index) => item === list[index]) ? list : found;
}

/** The value itself if none of the members is given, otherwise a copy, because the value belongs to the request. */
function converted(
  value: Readonly<Record<string, unknown>>,
  members: readonly { name: string; convert: Convert }[],
): Readonly<Record<string, unknown>> {
  const given = members.filter(({ name }) => value[name] != null);
  if (given.length === 0) return value;
  return { ...value, ...Object.fromEntries(given.map(({ name, convert }) => [name, convert(value[name])])) };
}

const valueBehind = (type: GraphQLEnumType, name: unknown): unknown =>
  typeof name === 'string' ? type.getValue(name)?.value : name;
