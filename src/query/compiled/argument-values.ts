/**
 * The arguments of a field as its resolver gets them: coerced by GraphQL, with defaults, and checked by the same rules.
 */
import { type FieldNode, getArgumentValues } from 'graphql';
import { isObject } from '../../common/is-object.js';
import { argumentProblems } from '../../graphql/guards/guard-arguments.js';
import type { Resource } from '../../model/resource.js';
import type { Filter } from '../filter.js';
import type { OrderBy } from '../sort.js';
import type { CompileContext } from '../sql/statement.js';
import type { Described } from './described-fields.js';
import { type FromVariables, namesVariables, perRequest, type Variables } from './variables.js';

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
