/** The lines of a document as it was: those of a filter, in an order, a slice of them. */
import { errors } from '../../../model/errors/errors.js';
import type { Lines } from '../../../model/resource.js';
import { byPosition, type SortKeys } from '../../../query/keyset.js';
import { linkedByFilter } from '../../../query/linked.js';
import { keysOf, type OrderBy } from '../../../query/sort.js';
import { compareValues } from './compare-values.js';
import type { Effort } from './effort.js';
import { matches } from './matches.js';
import { type PastRecord, pastOf } from './past-document.js';

/** The arguments of a list of lines. */
export interface LinesRequest {
  where?: Readonly<Record<string, unknown>> | null | undefined;
  orderBy?: readonly OrderBy[] | null | undefined;
  limit?: number | null | undefined;
  offset?: number | null | undefined;
}

export function pastLines(
  { resource }: Lines,
  document: PastRecord,
  { where, orderBy, limit, offset }: LinesRequest,
): PastRecord[] {
  const past = pastOf(document);
  if (!past) return [];
  const all = past.linesOf(resource);
  past.effort.spend(1 + all.length / 10);
  if (linkedByFilter(resource, where).size > 0) {
    const message = 'follows a link, and what it gave then is not known; leave it or `asOf` out';
    throw errors.badInput([{ path: ['where'], code: 'parameter_invalid', message }]);
  }
  const found = where ? all.filter((line) => matches(resource, where, line)) : [...all];
  const keys = keysOf(resource, orderBy, byPosition);
  if (keys !== byPosition) found.sort(inOrder(keys, past.effort));
  const first = offset ?? 0;
  return found.slice(first, limit == null ? undefined : first + limit);
}

const inOrder = (keys: SortKeys, effort: Effort) => (one: PastRecord, other: PastRecord) => {
  for (const { field, direction, nulls } of keys) {
    const [first, second] = [one[field] ?? null, other[field] ?? null];
    effort.compare(first);
    if (first === null || second === null) {
      if (first === second) continue;
      return (first === null) === (nulls === 'first') ? -1 : 1;
    }
    const order = compareValues(first, second);
    if (order !== 0) return direction === 'asc' ? order : -order;
  }
  return 0;
};
