/** Which rows of those between the cursors are a page, as Relay's cursor specification says. */
import { defaultPageSize } from '../model/limits.js';

/** Relay's arguments, and `offset`, the number of rows to skip. */
export interface PageArguments {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  offset?: number | null;
}

export interface Extent {
  /** Whether the page is read from the end. */
  backwards: boolean;
  size: number;
  /** The number of first rows of which the page is the end, by `first` with a smaller `last`. */
  head: number | undefined;
  /** Whether rows may exist beyond the edge from which the page is read: before its first row, or after its last. */
  isOpen: boolean;
}

export function extentOf({ first, after, last, before, offset }: PageArguments): Extent {
  const size = Math.min(first ?? last ?? defaultPageSize, last ?? Number.POSITIVE_INFINITY);
  if (first != null && last != null) {
    return { backwards: false, size, head: last < first ? first : undefined, isOpen: false };
  }
  // An offset counts from the start, and so does a page without `last` that has both cursors.
  const endsAtCursor = before != null && after == null && !offset;
  const backwards = first == null && (last != null || endsAtCursor);
  return { backwards, size, head: undefined, isOpen: backwards ? before != null : after != null || Boolean(offset) };
}

/** The rows of the page and the next one, among the first ones and the next one. */
export const endOf = <Row>(rows: readonly Row[], { head = 0, size }: Extent): Row[] =>
  rows.slice(Math.max(Math.min(rows.length, head) - size, 0));
