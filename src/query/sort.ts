/** Converts the requested order to sort columns. Every order ends with the id, so that it is unique. */
import type { Resource } from '../model/resource.js';
import type { SortKey, SortKeys } from './keyset.js';

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
