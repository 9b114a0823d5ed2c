/** The weight of a search of several types: each word is looked for in each of them. */
import type { OwnWeight } from '../../graphql/limits/cost-parts.js';
import { wordsIn } from '../../graphql/limits/field-cost.js';
import { comparisonWeight } from '../../graphql/limits/sizes.js';
import { catalogue } from '../../model/catalogue.js';

/** The types that a search without `types` may look into. */
const searchedTypes = Object.values(catalogue).filter(({ kind }) => kind === 'resource').length;

export const searchWeight: OwnWeight = (given) => comparisonWeight * wordsIn(given('query')) * typesIn(given('types'));

/** A single name stands for a list of it. */
function typesIn(named: unknown): number {
  if (named === null || named === undefined) return searchedTypes;
  return Array.isArray(named) ? Math.min(named.length, searchedTypes) : 1;
}
