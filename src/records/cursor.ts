/**
 * A cursor marks one row of an ordered list. It holds the row's sort values and its id, so a page after it costs the
 * same anywhere in the list, and it stays where it is when other rows come and go, when lines are put into another
 * order, and when its own row is deleted.
 */
import { errors } from '../errors.js';
import { isInt32, isStorableText } from '../model/storable.js';
import type { Delegate, Row } from './delegate.js';
import { byPosition, positionOf, type SortKeys } from './keyset.js';

export interface Cursor {
  position: readonly unknown[];
  id: string;
}

export function cursorOf(keys: SortKeys, row: Row): string {
  return Buffer.from(JSON.stringify(positionOf(withId(keys), row))).toString('base64url');
}

/** @throws BAD_USER_INPUT for a cursor this list never gave. */
export function readCursor(keys: SortKeys, cursor: string, argument: 'after' | 'before'): Cursor {
  const values = valuesIn(cursor);
  const columns = withId(keys);
  if (values.length === columns.length && columns.every(({ type }, index) => accepts[type](values[index]))) {
    return { position: values.slice(0, keys.length), id: String(values.at(-1)) };
  }
  throw errors.badInput([
    {
      path: [argument],
      code: 'parameter_invalid',
      message: 'must be a cursor that this list returned, taken from `edges.cursor` or `pageInfo` as it was',
    },
  ]);
}

/**
 * The position from which a page begins or at which it ends. Lines move when others are added, deleted or reordered, so
 * a line's place is looked up; where the line is gone, the next one has taken its place.
 */
export async function standing(
  model: Delegate,
  keys: SortKeys,
  { position, id }: Cursor,
  argument: 'after' | 'before',
): Promise<readonly unknown[]> {
  if (keys !== byPosition) return position;
  const line = await model.findUnique({ where: { id }, select: { id: true, idx: true } });
  if (line) return positionOf(keys, line);
  return argument === 'after' ? [Number(position[0]) - 1] : position;
}

/** What a cursor holds: the sort columns, and the id at the end. */
function withId(keys: SortKeys): SortKeys {
  return keys.at(-1)?.field === 'id' ? keys : [...keys, { field: 'id', direction: 'asc', type: 'string' }];
}

function valuesIn(cursor: string): unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(values) ? values : [];
  } catch {
    return [];
  }
}

const accepts = {
  string: (value: unknown) => typeof value === 'string' && isStorableText(value),
  integer: (value: unknown) => typeof value === 'number' && isInt32(value),
};
