/** Keyset pagination: a position in an ordered list is the values of one row in the sort columns. */
import { exactNumber } from '../database/exact-number.js';
import type { Resource } from '../model/resource.js';
import type { Order, SelectedRecord, Where } from './delegate.js';

export interface SortKey {
  field: string;
  direction: 'asc' | 'desc';
  type: 'string' | 'integer' | 'number' | 'boolean' | 'instant';
  /** The place of rows without a value; only for nullable columns. */
  nulls?: 'first' | 'last';
  /**
   * What the values of the column depend on besides the row, such as the words of a search. Positions with different
   * ones cannot be compared.
   */
  of?: string;
}

/** The sort columns; the last one is unique. */
export type SortKeys = readonly SortKey[];

/** The default order of records: ids increase with creation time. */
export const newestFirst: SortKeys = [{ field: 'id', direction: 'desc', type: 'string' }];

/** The order of the lines of one parent; `idx` is unique among them. */
export const byPosition: SortKeys = [{ field: 'idx', direction: 'asc', type: 'integer' }];

export const prismaOrderOf = (keys: SortKeys, backwards: boolean): Order =>
  keys.map(({ field, direction, nulls }) => {
    const sort = backwards ? opposite[direction] : direction;
    return { [field]: nulls ? { sort, nulls: backwards ? opposite[nulls] : nulls } : sort };
  });

/** The condition for rows after a position in reading direction; with `included` also the row at the position. */
export function rowsBeyond(keys: SortKeys, position: readonly unknown[], backwards: boolean, included = false): Where {
  // Each condition contains that for the less significant columns, so no value is repeated with each of them.
  return (
    keys.reduceRight<Where | undefined>((beyondOnTie, key, index) => {
      const value = position[index];
      const isLast = index === keys.length - 1;
      const further = furtherThan(key, value, backwards, included && isLast);
      const tie = beyondOnTie && { AND: [{ [key.field]: comparable(value) }, beyondOnTie] };
      return further && tie ? { OR: [further, tie] } : (further ?? tie);
    }, undefined) ?? { OR: [] }
  );
}

export const positionOf = (keys: SortKeys, row: SelectedRecord): unknown[] => keys.map(({ field }) => row[field]);

/** The condition for rows whose value in one column is after `value`; undefined if there can be none. */
function furtherThan(
  { field, direction, type, nulls }: SortKey,
  value: unknown,
  backwards: boolean,
  included: boolean,
): Where | undefined {
  const nullsAreAhead = nulls !== undefined && (nulls === 'last') !== backwards;
  if (value === null) return nullsAreAhead ? undefined : { [field]: { not: null } };
  const ascending = (direction === 'asc') !== backwards;
  const further =
    type === 'boolean' ? otherBoolean(field, value, ascending) : compare(field, value, ascending, included);
  if (!nullsAreAhead) return further;
  return further ? { OR: [further, { [field]: null }] } : { [field]: null };
}

const compare = (field: string, value: unknown, ascending: boolean, included: boolean): Where => ({
  [field]: { [`${ascending ? 'gt' : 'lt'}${included ? 'e' : ''}`]: comparable(value) },
});

/** true sorts after false; Prisma has no `lt` and `gt` for booleans. */
const otherBoolean = (field: string, value: unknown, ascending: boolean): Where | undefined =>
  value === ascending ? undefined : { [field]: ascending };

const comparable = (value: unknown): unknown => (typeof value === 'number' ? exactNumber(value) : value);

const opposite = { asc: 'desc', desc: 'asc', first: 'last', last: 'first' } as const;

/** Converts the requested order to sort columns. Every order ends with the id, so that it is unique. */
export interface OrderBy {
  field: string;
  direction: 'asc' | 'desc';
  /** The place of rows without a value, whatever the direction. */
  nulls: 'first' | 'last';
}

/** The sort columns, most significant first; `standard` if no order is given. */
export function keysOf(
  resource: Resource,
  orders: readonly OrderBy[] | null | undefined,
  standard: SortKeys,
): SortKeys {
  if (!orders || orders.length === 0) return standard;
  const keys = orders.map((order) => keyOf(resource, order));
  return [...keys, ...newestLast];
}

const newestLast: SortKeys = [{ field: 'id', direction: 'desc', type: 'string' }];

function keyOf({ fields }: Resource, { field: name, direction, nulls }: OrderBy): SortKey {
  const field = fields.find((candidate) => candidate.name === name);
  const key = { field: name, direction, type: field ? types[field.type] : (gatewayTypes[name] ?? 'string') };
  return field?.nullable ? { ...key, nulls } : key;
}

const types = { String: 'string', Int: 'integer', Float: 'number', Boolean: 'boolean' } as const;
const gatewayTypes: Record<string, SortKey['type']> = {
  createdAt: 'instant',
  updatedAt: 'instant',
  version: 'integer',
};
