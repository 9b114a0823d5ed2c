/** The weight of a search of several types: each word is looked for in each of them. */
import { valueFromASTUntyped } from 'graphql';
import type { OwnWeight } from '../../graphql/limits/cost-parts.js';
import { wordsIn } from '../../graphql/limits/field-cost.js';
import { comparisonWeight } from '../../graphql/limits/sizes.js';
import { holdsVariable } from '../../graphql/operation/selected-nodes.js';
import { catalogue } from '../../model/catalogue.js';
import type { Variables } from '../../model/selection.js';

/** The types that a search without `types` may look into. */
const searchedTypes = Object.values(catalogue).filter(({ kind }) => kind === 'resource').length;

export const searchWeight: OwnWeight = ({ arguments: given = [] }, defaults) => {
  const givenFor = (argument: string, variables: Variables): unknown => {
    const value = given.find(({ name }) => name.value === argument)?.value;
    return value && valueFromASTUntyped(value, { ...variables });
  };
  const weight = (variables: Variables) =>
    comparisonWeight * wordsIn(givenFor('query', variables)) * typesIn(givenFor('types', variables));
  if (!given.some(({ value }) => holdsVariable(value))) return weight({});
  return (variables) => weight({ ...defaults, ...variables });
};

/** A single name stands for a list of it. */
function typesIn(named: unknown): number {
  if (named === null || named === undefined) return searchedTypes;
  return Array.isArray(named) ? Math.min(named.length, searchedTypes) : 1;
}
