/** The weight of a field's filters and orders, computed from its arguments before the database is read. */
import { type FieldNode, type GraphQLField, type ValueNode, valueFromASTUntyped } from 'graphql';
import { mostLines, mostWordsSought } from '../../model/limits.js';
import type { Variables } from '../../model/selection.js';
import { wordsOf } from '../../model/words.js';
import { holdsVariable } from '../operation/selected-nodes.js';
import type { CostTerm } from './cost-parts.js';
import { comparisonWeight, presumedLines } from './sizes.js';

/** Arguments that make the database examine more rows than it returns, with the comparisons that each value makes. */
const weighed: ReadonlyMap<string, (value: unknown) => number> = new Map([
  ['where', comparisons],
  ['having', comparisons],
  ['orderBy', itemsOf],
  ['groupBy', itemsOf],
  ['search', wordsIn],
]);

/** The weight of a field's filters and orders; 0 where it has none. */
export function conditionsWeight(
  { args }: GraphQLField<unknown, unknown>,
  field: FieldNode,
  defaults: Variables,
): CostTerm {
  const given = (field.arguments ?? []).filter(
    ({ name }) => weighed.has(name.value) && args.some((argument) => argument.name === name.value),
  );
  if (given.length === 0) return 0;
  // A list of lines has no pages: the lines of one record are few compared with all records of a type.
  const factor = args.some(({ name }) => name === 'first') ? comparisonWeight : 1;
  const weight = (variables: Variables): number =>
    given.reduce((total, { name, value }) => {
      const weigh = weighed.get(name.value) ?? itemsOf;
      return total + factor * weigh(valueIn(value, variables));
    }, 0);
  if (!given.some(({ value }) => holdsVariable(value))) return weight({});
  return (variables) => weight({ ...defaults, ...variables });
}

/**
 * The comparisons that a filter makes for one record: one for each operator. A condition on lines is checked for each
 * line, so nested relations multiply.
 */
function comparisons(value: unknown, lines = presumedLines): number {
  if (value === null || value === undefined) return 0;
  if (typeof value !== 'object') return 1;
  if (Array.isArray(value)) return value.some(isObject) ? sum(value, lines) : 1;
  return Object.entries(value).reduce((total, [name, inner]) => {
    const isOfLines = overLines.has(name) && isObject(inner);
    // Lines that are reached from other lines belong to one parent, which may have any number of them, so the maximum
    // counts.
    if (isOfLines) return total + lines * Math.max(1, comparisons(inner, mostLines));
    // Also without conditions, a linked record or a parent is looked up to see whether there is one.
    const least = isObject(inner) && !logical.has(name) ? 1 : 0;
    return total + Math.max(least, comparisons(inner, lines));
  }, 0);
}

/** One for each field to sort or group by. */
function itemsOf(value: unknown): number {
  if (value === null || value === undefined) return 0;
  return Array.isArray(value) ? value.length : 1;
}

/** How many words a search looks for. */
export function wordsIn(value: unknown): number {
  return typeof value === 'string' ? wordsOf(value, mostWordsSought).length : 0;
}

const overLines: ReadonlySet<string> = new Set(['some', 'every', 'none']);
const logical: ReadonlySet<string> = new Set(['and', 'or', 'not']);

const sum = (values: readonly unknown[], lines: number): number =>
  values.reduce<number>((total, each) => total + comparisons(each, lines), 0);

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** The value as the operation states it; a variable without a value counts nothing. */
const valueIn = (node: ValueNode, variables: Variables): unknown => valueFromASTUntyped(node, { ...variables });
