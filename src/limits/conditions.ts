/** What the conditions and orders of a field weigh, read off its arguments before anything is read of the database. */
import { type FieldNode, type GraphQLField, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { mostLines } from '../model/limits.js';
import { comparisonWeight, presumedLines } from './sizes.js';
import type { Term, Variables } from './term.js';

/** The arguments that make a database look at more than it answers with, each with the comparisons it makes. */
const weighed: ReadonlyMap<string, (value: unknown) => number> = new Map([
  ['where', comparisons],
  ['having', comparisons],
  ['orderBy', itemsOf],
  ['groupBy', itemsOf],
]);

/** Zero where the field has none. */
export function conditionsWeight(
  { args }: GraphQLField<unknown, unknown>,
  field: FieldNode,
  defaults: Variables,
): Term {
  const given = (field.arguments ?? []).filter(
    ({ name }) => weighed.has(name.value) && args.some((argument) => argument.name === name.value),
  );
  if (given.length === 0) return 0;
  // The lines of a record are few beside all records of a type, whose lists have pages.
  const factor = args.some(({ name }) => name === 'first') ? comparisonWeight : 1;
  const weight = (variables: Variables): number =>
    given.reduce((total, { name, value }) => {
      const weigh = weighed.get(name.value) ?? itemsOf;
      return total + factor * weigh(written(value, variables));
    }, 0);
  if (!given.some(({ value }) => holdsVariable(value))) return weight({});
  return (variables) => weight({ ...defaults, ...variables });
}

/**
 * The comparisons that a filter makes for one record: each operator is one. What is asked of lines is asked of each of
 * them, as many as are presumed; so steps over several relations multiply.
 */
function comparisons(value: unknown, lines = presumedLines): number {
  if (value === null || value === undefined) return 0;
  if (typeof value !== 'object') return 1;
  if (Array.isArray(value)) return value.some(isObject) ? sum(value, lines) : 1;
  return Object.entries(value).reduce((total, [name, inner]) => {
    const isOfLines = overLines.has(name) && isObject(inner);
    // Lines that are reached from other lines are those of one parent again, whose number is any: they count as many.
    return total + (isOfLines ? lines * Math.max(1, comparisons(inner, mostLines)) : comparisons(inner, lines));
  }, 0);
}

/** One for each field that is sorted or grouped by. */
function itemsOf(value: unknown): number {
  if (value === null || value === undefined) return 0;
  return Array.isArray(value) ? value.length : 1;
}

const overLines: ReadonlySet<string> = new Set(['some', 'every', 'none']);

const sum = (values: readonly unknown[], lines: number): number =>
  values.reduce<number>((total, each) => total + comparisons(each, lines), 0);

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** The value as the operation writes it; what its own variables are left out of counts nothing. */
const written = (node: ValueNode, variables: Variables): unknown => valueFromASTUntyped(node, { ...variables });

function holdsVariable(node: ValueNode): boolean {
  if (node.kind === Kind.LIST) return node.values.some(holdsVariable);
  if (node.kind === Kind.OBJECT) return node.fields.some(({ value }) => holdsVariable(value));
  return node.kind === Kind.VARIABLE;
}
