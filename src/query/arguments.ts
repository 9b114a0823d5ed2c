/** Reads values out of the arguments of a field. */
import { isObject } from '../common/is-object.js';
import { isInt32 } from '../model/field.js';
import type { Resource } from '../model/resource.js';
import type { ArgumentValues } from '../model/selection.js';
import type { OrderBy } from './list.js';

/** The value if it is an integer within the range; otherwise undefined. */
export function inRange(value: unknown, least: number, most: number): number | undefined {
  return typeof value === 'number' && isInt32(value) && value >= least && value <= most ? value : undefined;
}

export function numberArgument(given: ArgumentValues, name: string): number | undefined {
  const value = given[name];
  return typeof value === 'number' ? value : undefined;
}

export function textArgument(given: ArgumentValues, name: string): string | undefined {
  const value = given[name];
  return typeof value === 'string' ? value : undefined;
}

/** An object with any members, such as a filter. */
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

export function orderOf(given: ArgumentValues, name: string): OrderBy[] | undefined {
  const value = given[name];
  return Array.isArray(value) ? value.filter(isOrder) : undefined;
}

/** The schema's order inputs always have these three members. */
const isOrder = (value: Partial<OrderBy>): value is OrderBy =>
  value.field !== undefined && value.direction !== undefined && value.nulls !== undefined;
