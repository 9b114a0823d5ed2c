/** The lines of a document as it was, page by page. They never change, so a cursor marks its line by the id alone. */
import { errors } from '../../../model/errors/errors.js';
import type { Lines } from '../../../model/resource.js';
import { linkedIn } from '../../../query/condition.js';
import { cursorOf, readCursor } from '../../../query/cursor.js';
import { conditionOf } from '../../../query/filter.js';
import { byPosition, keysOf, type OrderBy, type SortKeys } from '../../../query/list.js';
import { compareValues, matches, type Neighbours } from '../../../query/matches.js';
import { type Page, type PageArguments, pageIn } from '../../../query/page.js';
import { type Effort, type PastRecord, past, pastParentOf } from './past-document.js';

/** @throws BAD_USER_INPUT as `pageOf` does, and for a cursor whose line is not in this list */
export function pastPage(
  lines: Lines,
  document: PastRecord,
  { where, orderBy, ...given }: Omit<LinesRequest, 'limit'> & PageArguments,
): Page {
  return pageIn<PastRecord, PastRecord>(given, ({ backwards }) => {
    const { resource } = lines;
    const keys = keysOf(resource, orderBy, byPosition);
    const found = pastLines(lines, document, { where, orderBy });
    const placeOf = (argument: 'after' | 'before') => {
      const cursor = given[argument];
      if (cursor == null) return undefined;
      const { id } = readCursor(resource, keys, cursor, argument);
      const place = found.findIndex((line) => line.id === id);
      if (place >= 0) return place;
      const message = 'marks a line that is not in this list at that time; take a cursor that this list returned';
      throw errors.invalidAt([argument], message);
    };
    const between = found.slice((placeOf('after') ?? -1) + 1, placeOf('before'));
    if (backwards) between.reverse();
    return {
      cursor: (row) => cursorOf(keys, row),
      find: async (take, skip) => between.slice(skip, skip + take),
      load: async (rows) => rows,
      // Beyond an open edge is at least the line of its cursor, or what an offset skips.
      goesOn: async () => found.length > 0,
      count: async () => found.length,
    };
  });
}

interface LinesRequest {
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
  const { linesOf, effort } = document[past];
  const all = linesOf(resource);
  effort.spend(1 + all.length / 10);
  const condition = conditionOf(resource, where);
  if (linkedIn(condition).size > 0) {
    const message = 'follows a link, and what it gave then is not known; leave it or `asOf` out';
    throw errors.invalidAt(['where'], message);
  }
  const found = all.filter((line) => matches(condition, line, ofThen));
  const keys = keysOf(resource, orderBy, byPosition);
  if (keys !== byPosition) found.sort(inOrder(keys, effort));
  const first = offset ?? 0;
  return found.slice(first, limit == null ? undefined : first + limit);
}

/** Lines and documents as they were, and what it takes to compare them. */
const ofThen: Neighbours<PastRecord> = {
  linesOf: (record, { resource }) => record[past].linesOf(resource),
  parentOf: (line, parent) => pastParentOf(parent, line),
  onPart(part, record) {
    const { effort } = record[past];
    effort.spend(1);
    if (!('field' in part) || part.kind === 'null' || part.kind === 'short') return;
    for (const operand of part.kind === 'in' ? part.values : [part.kind === 'part' ? part.part.text : part.value]) {
      effort.compare(record[part.field]);
      effort.compare(operand);
    }
  },
};

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
