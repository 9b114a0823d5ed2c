/** The weight of records as they were: by `asOf`, or by ids of states of the past in `node` and `nodes`. */
import type { OwnWeight } from '../../graphql/limits/cost-parts.js';
import { pastIdIn } from '../../model/ids.js';

/** The cost of a record as it was, for which up to 20,000 later changes are undone. */
const pastWeight = 1_000;

/** Instead of the one that a present record costs. */
export const asOfWeight: OwnWeight = (given) => (given('asOf') == null ? 0 : pastWeight - 1);

/** `argument` is the one with the ids. */
export const statesWeight =
  (argument: string): OwnWeight =>
  (given) =>
    pastWeight * statesIn(given(argument));

/** A single id stands for a list of it. */
function statesIn(ids: unknown): number {
  const texts = Array.isArray(ids) ? ids : [ids];
  return texts.filter((text) => typeof text === 'string' && pastIdIn(text)).length;
}
