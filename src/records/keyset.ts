/**
 * Positions in an ordered list. A cursor holds the sort values of one row, so a page after it costs the same anywhere
 * in the list, and stays where it is when rows are added or the row itself is deleted.
 */
import { errors } from '../errors.js';
import { isInt32, isStorableText } from '../model/storable.js';
import type { Order, Row, Where } from './delegate.js';

/** The sort columns; the last is always unique. */
export type SortKeys = readonly { field: string; direction: 'asc' | 'desc'; type: 'string' | 'integer' }[];

/** Newest created first (document 4.1): ids rise with creation. */
export const newestFirst: SortKeys = [{ field: 'id', direction: 'desc', type: 'string' }];

/** The order of the lines of one parent, among which `idx` is unique. */
export const byPosition: SortKeys = [{ field: 'idx', direction: 'asc', type: 'integer' }];

export const orderOf = (keys: SortKeys, backwards: boolean): Order =>
  keys.map(({ field, direction }) => ({ [field]: backwards ? opposite[direction] : direction }));

/** The rows strictly behind the position, seen in the direction of travel. */
export function beyond(keys: SortKeys, position: readonly unknown[], backwards: boolean): Where {
  const alternatives = keys.map(({ field, direction }, index) => ({
    ...Object.fromEntries(keys.slice(0, index).map((key, before) => [key.field, position[before]])),
    [field]: { [(direction === 'asc') !== backwards ? 'gt' : 'lt']: position[index] },
  }));
  return alternatives.length === 1 && alternatives[0] ? alternatives[0] : { OR: alternatives };
}

export const positionOf = (keys: SortKeys, row: Row): unknown[] => keys.map(({ field }) => row[field]);

export function cursorOf(keys: SortKeys, row: Row): string {
  return Buffer.from(JSON.stringify(positionOf(keys, row))).toString('base64url');
}

/** @throws BAD_USER_INPUT for a cursor this list never gave. */
export function readCursor(keys: SortKeys, cursor: string, argument: string): unknown[] {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const fits =
      Array.isArray(position) &&
      position.length === keys.length &&
      keys.every(({ type }, index) => accepts[type](position[index]));
    if (fits) return position;
  } catch {
    // Not JSON: not one of ours, said below.
  }
  throw errors.badInput([
    {
      path: [argument],
      code: 'parameter_invalid',
      message: 'must be a cursor that this list returned, taken from `edges.cursor` or `pageInfo` as it was',
    },
  ]);
}

const opposite = { asc: 'desc', desc: 'asc' } as const;

const accepts = {
  string: (value: unknown) => typeof value === 'string' && isStorableText(value),
  integer: (value: unknown) => typeof value === 'number' && isInt32(value),
};
