import { type FieldNode, valueFromASTUntyped } from 'graphql';
import { oncePer } from '../../common/kept.js';
import type { Variables } from '../../model/selection.js';
import { holdsVariable } from '../operation/selected-nodes.js';

/** The weight of a selection. */
export interface SelectionCost {
  /** Levels of nested fields. */
  depth: number;
  /** Levels of nested selections, including those of fragments. */
  levels: number;
  /** Fields at the top level. */
  width: number;
  previews: number;
  hasLines: boolean;
  /** Whether it selects lists of objects, of which there may be any number. */
  hasLists: boolean;
  /** Whether it goes from a record to its parent and from there to the parent's lines. */
  climbs: boolean;
  /** Values that occur once. */
  once: CostTerm;
  /** Values that occur for each record of the surrounding page. */
  perRecord: CostTerm;
}

/** The values of a selection when the surrounding page has `records` records. */
export const totalCost = ({ once, perRecord }: SelectionCost, records: CostTerm): CostTerm =>
  sum([once, product(records, perRecord)]);

export const nothing: SelectionCost = {
  depth: 0,
  levels: 0,
  width: 0,
  previews: 0,
  hasLines: false,
  hasLists: false,
  climbs: false,
  once: 0,
  perRecord: 0,
};

/** The combined weight of sibling selections; `levels` is that of the selection that holds them. */
export function combined(parts: readonly SelectionCost[], levels: number): SelectionCost {
  return {
    depth: Math.max(0, ...parts.map(({ depth }) => depth)),
    levels,
    width: parts.reduce((width, part) => width + part.width, 0),
    previews: parts.reduce((previews, part) => previews + part.previews, 0),
    hasLines: parts.some(({ hasLines }) => hasLines),
    hasLists: parts.some(({ hasLists }) => hasLists),
    climbs: parts.some(({ climbs }) => climbs),
    once: sum(parts.map(({ once }) => once)),
    perRecord: sum(parts.map(({ perRecord }) => perRecord)),
  };
}

// Numbers that are either constant or depend on an operation's variables, which are complete: with their default values.

export type CostTerm = number | ((variables: Variables) => number);

export function sum(terms: readonly CostTerm[]): CostTerm {
  const known = terms.reduce<number>((total, term) => total + (typeof term === 'number' ? term : 0), 0);
  const unknown = terms.filter((term) => typeof term !== 'number');
  if (unknown.length === 0) return known;
  return (variables) => unknown.reduce((total, term) => total + term(variables), known);
}

export function product(one: CostTerm, other: CostTerm): CostTerm {
  if (one === 0 || other === 0) return 0;
  return combine(one, other, (left, right) => left * right);
}

export const largest = (one: CostTerm, other: CostTerm): CostTerm => combine(one, other, Math.max);

function combine(one: CostTerm, other: CostTerm, by: (one: number, other: number) => number): CostTerm {
  if (typeof one === 'number' && typeof other === 'number') return by(one, other);
  return (variables) => by(evaluated(one, variables), evaluated(other, variables));
}

/** A term that occurs several times is evaluated once for each request, however often a fragment is spread. */
export const kept = (term: CostTerm): CostTerm => (typeof term === 'number' ? term : oncePer(term));

const evaluated = (term: CostTerm, variables: Variables): number => (typeof term === 'number' ? term : term(variables));

/** What an argument says, as the operation states it; undefined where it is left out, or its variable has no value. */
export type Given = (argument: string) => unknown;

/**
 * A number that follows from the arguments of a field, for which `weigh` always asks: it is constant if none of those asked
 * for holds a variable.
 */
export function byArguments({ arguments: given = [] }: FieldNode, weigh: (given: Given) => number): CostTerm {
  let isConstant = true;
  const weighWith = (variables?: Variables) =>
    weigh((name) => {
      const value = given.find((argument) => argument.name.value === name)?.value;
      if (value && holdsVariable(value)) isConstant = false;
      return value && valueFromASTUntyped(value, variables);
    });
  const known = weighWith();
  return isConstant ? known : weighWith;
}

/** What a field costs beyond one value and what is selected of it, where it says so itself. */
export type OwnWeight = (given: Given) => number;

/** The extensions of a field that says what it costs. */
export const weighed = (weight: OwnWeight): { weight: OwnWeight } => ({ weight });

export const ownWeight = (
  { extensions: { weight } }: { extensions: { weight?: OwnWeight } },
  field: FieldNode,
): CostTerm => (weight ? byArguments(field, weight) : 0);
