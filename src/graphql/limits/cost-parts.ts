import type { FieldNode } from 'graphql';
import type { Variables } from '../../model/selection.js';

/** The weight of a selection. */
export interface SelectionCost {
  /** Levels of nested fields. */
  depth: number;
  /** Levels of nested selections, including those of fragments. */
  levels: number;
  /** Fields at the top level. */
  width: number;
  /** `previewAction` fields. */
  previews: number;
  /** Whether it selects lines. */
  hasLines: boolean;
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
    climbs: parts.some(({ climbs }) => climbs),
    once: sum(parts.map(({ once }) => once)),
    perRecord: sum(parts.map(({ perRecord }) => perRecord)),
  };
}

// Numbers that are either constant or depend on an operation's variables.

/** `shared` holds the values of terms that occur several times, in the order of `kept`; see `evaluated`. */
export type CostTerm = number | ((variables: Variables, shared: readonly number[]) => number);

export function sum(terms: readonly CostTerm[]): CostTerm {
  const known = terms.reduce<number>((total, term) => total + (typeof term === 'number' ? term : 0), 0);
  const unknown = terms.filter((term) => typeof term !== 'number');
  if (unknown.length === 0) return known;
  return (variables, shared) => unknown.reduce((total, term) => total + term(variables, shared), known);
}

export function product(one: CostTerm, other: CostTerm): CostTerm {
  if (typeof one === 'number' && typeof other === 'number') return one * other;
  if (one === 0 || other === 0) return 0;
  return (variables, shared) => numberOf(one, variables, shared) * numberOf(other, variables, shared);
}

export function largest(one: CostTerm, other: CostTerm): CostTerm {
  if (typeof one === 'number' && typeof other === 'number') return Math.max(one, other);
  return (variables, shared) => Math.max(numberOf(one, variables, shared), numberOf(other, variables, shared));
}

/** Registers a term that occurs several times, so that it is evaluated once. */
export function kept(term: CostTerm, shared: CostTerm[]): CostTerm {
  if (typeof term === 'number') return term;
  const place = shared.push(term) - 1;
  return (_variables, values) => values[place] ?? 0;
}

/** The value of a term. The time is proportional to the operation's text, however often a fragment is spread. */
export function evaluated(term: CostTerm, shared: readonly CostTerm[], variables: Variables): number {
  if (typeof term === 'number') return term;
  const values: number[] = [];
  for (const part of shared) values.push(numberOf(part, variables, values));
  return term(variables, values);
}

const numberOf = (term: CostTerm, variables: Variables, shared: readonly number[]): number =>
  typeof term === 'number' ? term : term(variables, shared);

/** What a field costs beyond one value and what is selected of it, where it says so itself. */
export type OwnWeight = (field: FieldNode, defaults: Variables) => CostTerm;

/** The extensions of a field that says what it costs. */
export const weighed = (weight: OwnWeight): { weight: OwnWeight } => ({ weight });

export const ownWeight = (
  { extensions }: { extensions: { weight?: OwnWeight } },
  field: FieldNode,
  defaults: Variables,
): CostTerm => extensions.weight?.(field, defaults) ?? 0;
