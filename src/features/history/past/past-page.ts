/** The lines of a document as it was, page by page. They never change, so a cursor marks its line by the id alone. */
import { errors } from '../../../model/errors/errors.js';
import type { Lines } from '../../../model/resource.js';
import { cursorOf, readCursor } from '../../../query/cursor.js';
import { endOf, extentOf, type PageArguments } from '../../../query/extent.js';
import { byPosition } from '../../../query/keyset.js';
import { type Page, refusePageProblems } from '../../../query/page.js';
import { keysOf } from '../../../query/sort.js';
import type { PastRecord } from './past-document.js';
import { type LinesRequest, pastLines } from './past-lines.js';

/** @throws BAD_USER_INPUT as `pageOf` does, and for a cursor whose line is not in this list */
export function pastPage(
  lines: Lines,
  document: PastRecord,
  { where, orderBy, ...given }: Omit<LinesRequest, 'limit'> & PageArguments,
): Page {
  refusePageProblems(given);
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
    throw errors.badInput([{ path: [argument], code: 'parameter_invalid', message }]);
  };
  const extent = extentOf(given);
  const { backwards, size, head, isOpen } = extent;
  const between = found.slice((placeOf('after') ?? -1) + 1 + (given.offset ?? 0), placeOf('before'));
  const rows = backwards
    ? between.slice(Math.max(between.length - size, 0))
    : endOf(between.slice(0, head ?? size), extent).slice(0, size);
  const more = async () => between.length > (head ?? size);
  // Beyond an open edge is at least the line of its cursor, or what an offset skips.
  const goesOn = async () => (isOpen ? found.length > 0 : head !== undefined && between.length > size);
  return {
    cursor: (row) => cursorOf(keys, row),
    rows: async () => rows,
    total: async () => found.length,
    hasNextPage: backwards ? goesOn : more,
    hasPreviousPage: backwards ? more : goesOn,
  };
}
