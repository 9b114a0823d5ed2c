/** The arguments of a field of an operation: what of them depends on no request is found out once. */

import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getArgumentValues,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  Kind,
  specifiedScalarTypes,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql';
import { isObject } from '../../common/is-object.js';
import { oncePer } from '../../common/kept.js';
import type { Problem } from '../../model/errors/problem.js';
import type { Resource } from '../../model/resource.js';
import { type ArgumentValues, type FromVariables, NotCompilable, type Variables } from '../../model/selection.js';
import { checkedType, inputProblems, valueCheck } from '../guards/value-problem.js';
import { constraintOf } from '../inputs/filters.js';

type Definition = GraphQLField<unknown, unknown>;

/** The value of an argument that the resolvers would refuse; neither a number nor a text. */
const refused = Symbol('an argument that the resolvers refuse');

/** A scalar argument: not coerced, because admission has checked the variables, and what is written in the text is plain. */
export function argumentReader(
  { args }: Definition,
  node: FieldNode | undefined,
  name: string,
): (variables: Variables) => unknown {
  const known = args.find((each) => each.name === name);
  if (!known) return () => undefined;
  const type = getNullableType(known.type);
  if (!isLeafType(type)) throw new NotCompilable();
  const written = valueNode(node, name);
  const value = written ? readerOf(written) : () => undefined;
  const constraint = constraintOf(known);
  const problem = valueCheck(type);
  const isRequired = isNonNullType(known.type);
  return (variables) => {
    const given = value(variables);
    if (given === undefined) return isRequired ? refused : undefined;
    return problem(given, constraint, true) === undefined ? given : refused;
  };
}

const valueNode = (node: FieldNode | undefined, name: string): ValueNode | undefined =>
  node?.arguments?.find((each) => each.name.value === name)?.value;

function readerOf(node: ValueNode): (variables: Variables) => unknown {
  if (node.kind === Kind.VARIABLE) {
    const name = node.name.value;
    return (variables) => variables[name] ?? undefined;
  }
  if (node.kind === Kind.NULL) return () => undefined;
  if (node.kind === Kind.STRING) return () => node.value;
  if (node.kind === Kind.INT) return () => Number(node.value);
  throw new NotCompilable();
}

/** All problems of a field's coerced arguments. */
export function argumentProblems({ args: definitions }: Pick<Definition, 'args'>, args: ArgumentValues): Problem[] {
  return definitions.flatMap((argument) => {
    const named = { type: checkedType(argument.type), constraint: constraintOf(argument) };
    return inputProblems(args[argument.name], named, [argument.name], { isCoerced: true });
  });
}

/** All arguments, coerced and checked; undefined if the resolvers would refuse them. */
export function argumentsReader(
  field: Definition,
  node: FieldNode | undefined,
  coerced: FromVariables<Variables>,
): FromVariables<ArgumentValues> {
  if (!node) throw new NotCompilable();
  return oncePer((variables: Variables) => {
    const values = coerced(variables);
    try {
      const given = values && getArgumentValues(field, node, values);
      return given && argumentProblems(field, given).length === 0 ? given : undefined;
    } catch {
      return undefined;
    }
  });
}

/**
 * The arguments of a mutation, where coercion would change nothing but the defaults inside inputs, which the writer fills in.
 * Undefined if it would.
 */
export function inputsReader(
  field: Definition,
  node: FieldNode | undefined,
  declared: readonly VariableDefinitionNode[],
  resource: Resource,
): FromVariables<ArgumentValues> | undefined {
  const unchanged = unchangedArguments(field, node, declared, resource);
  return (
    unchanged &&
    ((variables) => {
      const given: Record<string, unknown> = {};
      for (const { name, read, isAccepted } of unchanged) {
        given[name] = read(variables);
        if (!isAccepted(given[name])) return undefined;
      }
      return given;
    })
  );
}

/** An argument whose value the writer may use as it is. */
interface UnchangedArgument {
  name: string;
  read: FromVariables<unknown>;
  /** Whether it keeps the argument's own constraint. */
  isAccepted(value: unknown): boolean;
}

/**
 * The arguments, if each is a variable that coercion would not change, or is left out. Admission has checked the
 * variables by their types with all constraints inside; only the constraint of the argument itself is left to check.
 */
function unchangedArguments(
  definition: Definition,
  node: FieldNode | undefined,
  declared: readonly VariableDefinitionNode[],
  resource: Resource,
): UnchangedArgument[] | undefined {
  const found: UnchangedArgument[] = [];
  for (const argument of definition.args) {
    const { name, type, defaultValue } = argument;
    const value = valueNode(node, name);
    if (!value) {
      if (defaultValue !== undefined) found.push({ name, read: () => defaultValue, isAccepted: () => true });
      continue;
    }
    const isAccepted = acceptedBy(argument);
    if (value.kind !== Kind.VARIABLE || defaultValue !== undefined || !isAccepted) return undefined;
    const variable = value.name.value;
    const one = declared.find((each) => each.variable.name.value === variable);
    if (!one || one.defaultValue || !isUnchanged(type, resource)) return undefined;
    const convert = enumConversion(type);
    found.push({
      name,
      read: convert ? (variables) => convert(variables[variable]) : (variables) => variables[variable],
      isAccepted,
    });
  }
  return found;
}

/**
 * Whether a value of the argument's type keeps its constraint; undefined for a constraint that takes more to check, and for
 * any that is not known here. GraphQL accepts a single value as a list of one: that is left to coercion.
 */
function acceptedBy(argument: GraphQLArgument): UnchangedArgument['isAccepted'] | undefined {
  const constraint = constraintOf(argument);
  const type = getNullableType(argument.type);
  if (isLeafType(type)) {
    const { notNull, ...ofValue } = constraint;
    if (notNull) return undefined;
    const check = valueCheck(type);
    return (value) => value == null || check(value, ofValue, true) === undefined;
  }
  const { maximumLength, ...others } = constraint;
  if (Object.keys(others).length > 0) return undefined;
  if (!isListType(type)) return maximumLength === undefined ? () => true : undefined;
  const most = maximumLength ?? Infinity;
  return (value) => value == null || (Array.isArray(value) && value.length <= most);
}

/**
 * Whether the writer gets the same value with and without GraphQL's coercion, but for the names of enums: scalars are
 * GraphQL's own, and the defaults of inputs are those of the record type. A single value in the place of a list inside an input is handled by
 * the writer.
 */
function isUnchanged(
  type: GraphQLInputType,
  resource: Resource,
  around: readonly GraphQLInputObjectType[] = [],
): boolean {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return isEnumType(named) || specifiedScalarTypes.some((scalar) => scalar === named);
  if (around.includes(named)) return false;
  return Object.values(named.getFields()).every(({ name, type: inner, defaultValue }) => {
    const lines = resource.lines.find(({ field }) => field === name);
    if (isListType(getNullableType(inner)) && !lines) return false;
    const isOwn = resource.fields.some((field) => field.name === name && field.default === defaultValue);
    const hasDefault = defaultValue !== undefined && !isOwn;
    return !hasDefault && isUnchanged(inner, lines?.resource ?? resource, [...around, named]);
  });
}

/**
 * The values behind the names of enums in the value of a variable. Admission has checked the names; everything else in the
 * value is left as it is, because coercion would not change it.
 */
type Convert = (value: unknown) => unknown;

/** Undefined for a type without enums, whose values need no conversion. Types must not contain themselves. */
function enumConversion(type: GraphQLInputType): Convert | undefined {
  const plain = getNullableType(type);
  if (isEnumType(plain)) return (value) => valueBehind(plain, value);
  if (isListType(plain)) {
    const item = enumConversion(plain.ofType);
    return item && ((value) => (Array.isArray(value) ? value.map(item) : item(value)));
  }
  if (!isInputObjectType(plain)) return undefined;
  const members = Object.values(plain.getFields()).flatMap(({ name, type: inner }) => {
    const convert = enumConversion(inner);
    return convert ? [{ name, convert }] : [];
  });
  return members.length === 0 ? undefined : (value) => (isObject(value) ? converted(value, members) : value);
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
