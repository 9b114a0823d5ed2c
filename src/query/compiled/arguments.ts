/** The scalar arguments of a compiled field: parsed once per operation, evaluated for each request. */
import {
  type FieldNode,
  getArgumentValues,
  getNullableType,
  isLeafType,
  isNonNullType,
  Kind,
  type ValueNode,
} from 'graphql';
import { isObject } from '../../common/is-object.js';
import { argumentProblems } from '../../graphql/guards/guard-arguments.js';
import { valueCheck } from '../../graphql/guards/value-problem.js';
import { constraintOf } from '../../graphql/inputs/filters.js';
import { isInt32 } from '../../model/field.js';
import type { Resource } from '../../model/resource.js';
import type { Filter } from '../filter.js';
import type { OrderBy } from '../keyset.js';
import type { CompileContext } from '../sql/statement.js';
import type { Described } from './described-fields.js';
import { NotCompilable } from './selection.js';
import { type FromVariables, namesVariables, perRequest, type Variables } from './variables.js';

/** The value of an argument that the resolvers would refuse; neither a number nor a text. */
const refused = Symbol('an argument that the resolvers refuse');

/** The value of an argument in a request; undefined if it is left out. */
export type Argument = (variables: Variables) => unknown;

/** The named arguments of a field. @throws NotCompilable for a value that is neither a scalar nor a variable */
export function argumentsOf<Name extends string>(
  { definition, nodes: [first] }: Pick<Described, 'definition' | 'nodes'>,
  names: readonly Name[],
): Partial<Record<Name, Argument>> {
  const found: Partial<Record<string, Argument>> = {};
  for (const known of definition.args) {
    if (!names.some((name) => name === known.name)) continue;
    const type = getNullableType(known.type);
    if (!isLeafType(type)) throw new NotCompilable();
    const node = first?.arguments?.find(({ name }) => name.value === known.name);
    const value = node ? readerOf(node.value) : () => undefined;
    const constraint = constraintOf(known);
    const problem = valueCheck(type);
    const isRequired = isNonNullType(known.type);
    found[known.name] = (variables) => {
      const given = value(variables);
      if (given === undefined) return isRequired ? refused : undefined;
      return problem(given, constraint, true) === undefined ? given : refused;
    };
  }
  return found;
}

function readerOf(node: ValueNode): Argument {
  if (node.kind === Kind.VARIABLE) {
    const name = node.name.value;
    return (variables) => variables[name] ?? undefined;
  }
  if (node.kind === Kind.NULL) return () => undefined;
  if (node.kind === Kind.STRING) return () => node.value;
  if (node.kind === Kind.INT) return () => Number(node.value);
  throw new NotCompilable();
}

/** The value if it is an integer within the range; otherwise undefined. */
export function inRange(value: unknown, least: number, most: number): number | undefined {
  return typeof value === 'number' && isInt32(value) && value >= least && value <= most ? value : undefined;
}

/**
 * The arguments of a field as its resolver gets them: coerced by GraphQL, with defaults, and checked by the same rules.
 */
export type ArgumentValues = Readonly<Record<string, unknown>>;

/** Applies `read` to the arguments of a node; undefined if the resolvers would refuse them. */
export function argumentValuesOf<Value>(
  { coerced }: Pick<CompileContext, 'coerced'>,
  field: Described['definition'],
  node: FieldNode,
  read: (given: ArgumentValues) => Value | undefined,
): FromVariables<Value> {
  const given = (variables: Variables): Value | undefined => {
    try {
      const values = getArgumentValues(field, node, variables);
      return argumentProblems(field, values).length > 0 ? undefined : read(values);
    } catch {
      return undefined;
    }
  };
  if (!namesVariables(node)) {
    const constant = given({});
    return () => constant;
  }
  return perRequest((variables) => {
    const values = coerced(variables);
    return values && given(values);
  });
}

export function numberArgument(given: ArgumentValues, name: string): number | undefined {
  const value = given[name];
  return typeof value === 'number' ? value : undefined;
}

export function textArgument(given: ArgumentValues, name: string): string | undefined {
  const value = given[name];
  return typeof value === 'string' ? value : undefined;
}

/** An object with any members. */
export function inputArgument(given: ArgumentValues, name: string): ArgumentValues | undefined {
  const value = given[name];
  return isObject(value) ? value : undefined;
}

/** A list of objects with any members. */
export function inputsIn(given: ArgumentValues, name: string): ArgumentValues[] | undefined {
  const value = given[name];
  return Array.isArray(value) ? value : undefined;
}

export function textsIn(given: ArgumentValues, name: string): string[] | undefined {
  const value = given[name];
  return Array.isArray(value) ? value : undefined;
}

/** Whether the lines are given as lists: GraphQL accepts a single line as a list of one. */
export function hasLists(input: ArgumentValues, { lines }: Resource): boolean {
  return lines.every(({ field }) => input[field] == null || Array.isArray(input[field]));
}

export function filterArgument(given: ArgumentValues, name: string): Filter | undefined {
  const value = given[name];
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}

export function orderOf(given: ArgumentValues, name: string): OrderBy[] | undefined {
  const value = given[name];
  return Array.isArray(value) ? value.filter(isOrder) : undefined;
}

/** The schema's order inputs always have these three members. */
const isOrder = (value: Partial<OrderBy>): value is OrderBy =>
  value.field !== undefined && value.direction !== undefined && value.nulls !== undefined;
