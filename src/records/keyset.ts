/** Positions in an ordered list: the values of one row in the columns the list is sorted by. */
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

const opposite = { asc: 'desc', desc: 'asc' } as const;
