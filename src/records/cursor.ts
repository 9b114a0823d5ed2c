/**
 * A cursor marks one row of an ordered list. It holds the row's sort values and its id, so a page after it costs the
 * same anywhere in the list, and it stays where it is when other rows come and go, when lines are put into another
 * order, and when its own row is deleted.
 */
import { errors } from '../errors.js';
import { readInstant } from '../model/instant.js';
import { type Resource, resourceOfId } from '../model/resource.js';
import { isInt32, isStorableText } from '../model/storable.js';
import type { Delegate, Row } from './delegate.js';
import { byPosition, positionOf, type SortKey, type SortKeys } from './keyset.js';

export interface Cursor {
  position: readonly unknown[];
  id: string;
}

export function cursorOf(keys: SortKeys, row: Row): string {
  return Buffer.from(JSON.stringify([signatureOf(keys), ...positionOf(withId(keys), row)])).toString('base64url');
}

/** @throws BAD_USER_INPUT for a cursor this list never gave. */
export function readCursor(resource: Resource, keys: SortKeys, cursor: string, argument: 'after' | 'before'): Cursor {
  const [signature, ...values] = valuesIn(cursor);
  const columns = withId(keys);
  const id = String(values.at(-1));
  const isOfThisOrder = signature === signatureOf(keys) && values.length === columns.length;
  const isOfThisType = resourceOfId(id) === resource;
  if (isOfThisOrder && isOfThisType && columns.every((key, index) => accepts(key, values[index]))) {
    const position = keys.map(({ type }, index) => valueAt(type, values[index]));
    return { position, id };
  }
  throw errors.badInput([
    {
      path: [argument],
      code: 'parameter_invalid',
      message: 'must be a cursor that this list returned, in the same order, taken from `edges.cursor` or `pageInfo`',
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

/** Names the order a cursor belongs to: in another one its position means nothing. */
const signatureOf = (keys: SortKeys): string =>
  keys.map(({ field, direction, nulls = '' }) => `${field} ${direction} ${nulls}`.trim()).join();

function accepts({ type, nulls }: SortKey, value: unknown): boolean {
  return value === null ? nulls !== undefined : formOf[type](value);
}

const formOf: Record<SortKey['type'], (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string' && isStorableText(value),
  integer: (value) => typeof value === 'number' && isInt32(value),
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  instant: (value) => typeof value === 'string' && isInstant(value),
};

/** The value as rows have it. */
const valueAt = (type: SortKey['type'], value: unknown): unknown =>
  type === 'instant' && typeof value === 'string' ? new Date(value) : value;

/** Exactly as `toISOString` writes it. */
function isInstant(text: string): boolean {
  return readInstant(text)?.toISOString() === text;
}
