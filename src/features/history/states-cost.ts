/** The weight of records as they were: by `asOf`, or by ids of states of the past in `node` and `nodes`. */
import { valueFromASTUntyped } from 'graphql';
import type { OwnWeight } from '../../graphql/limits/cost-parts.js';
import { holdsVariable } from '../../graphql/operation/selected-nodes.js';
import { pastIdIn } from '../../model/ids.js';
import type { Variables } from '../../model/selection.js';

/** The cost of a record as it was, for which up to 20,000 later changes are undone. */
const pastWeight = 1_000;

/** Instead of the one that a present record costs. */
export const asOfWeight: OwnWeight = ({ arguments: given = [] }) =>
  given.some(({ name }) => name.value === 'asOf') ? pastWeight - 1 : 0;

/** `argument` is the one with the ids. */
export const statesWeight =
  (argument: string): OwnWeight =>
  ({ arguments: given = [] }, defaults) => {
    const ids = given.find(({ name }) => name.value === argument)?.value;
    if (!ids) return 0;
    const weight = (variables: Variables) => pastWeight * statesIn(valueFromASTUntyped(ids, { ...variables }));
    return holdsVariable(ids) ? (variables) => weight({ ...defaults, ...variables }) : weight({});
  };

/** A single id stands for a list of it. */
function statesIn(ids: unknown): number {
  const texts = Array.isArray(ids) ? ids : [ids];
  return texts.filter((text) => typeof text === 'string' && pastIdIn(text)).length;
}
