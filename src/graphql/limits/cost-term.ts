/** Numbers that are either constant or depend on an operation's variables. */

export type Variables = Readonly<Record<string, unknown>>;

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
