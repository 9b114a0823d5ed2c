/** The weight of states of the past that `node` and `nodes` find by their ids: each takes as long as a record with `asOf`. */
import { type FieldNode, type GraphQLField, valueFromASTUntyped } from 'graphql';
import type { CostTerm, Variables } from '../../graphql/limits/cost-parts.js';
import { holdsVariable } from '../../graphql/limits/filter-cost.js';
import { pastWeight } from '../../graphql/limits/sizes.js';
import { pastIdIn } from '../../model/ids.js';

/** 0 for any other field. */
export function statesWeight(
  { name }: GraphQLField<unknown, unknown>,
  { arguments: given = [] }: FieldNode,
  defaults: Variables,
): CostTerm {
  if (name !== 'node' && name !== 'nodes') return 0;
  const ids = given.find((argument) => argument.name.value === 'id' || argument.name.value === 'ids')?.value;
  if (!ids) return 0;
  const weight = (variables: Variables) => pastWeight * statesIn(valueFromASTUntyped(ids, { ...variables }));
  return holdsVariable(ids) ? (variables) => weight({ ...defaults, ...variables }) : weight({});
}

/** A single id stands for a list of it. */
function statesIn(ids: unknown): number {
  const texts = Array.isArray(ids) ? ids : [ids];
  return texts.filter((text) => typeof text === 'string' && pastIdIn(text)).length;
}
