/**
 * Ordered lists: their sort columns, the conditions for rows beyond a position, and the same as SQL. A position is the values
 * of one row in the sort columns (keyset pagination).
 */
import { Prisma } from '../generated/sqlite/client.js';
import { type Resource, scopeOf } from '../model/resource.js';
import {
  allOf,
  anyOf,
  type Condition,
  conditionSql,
  equals,
  type Ground,
  groundOf,
  linkedIn,
  never,
} from './condition.js';
import type { Client, Order, SelectedRecord } from './delegate.js';
import { conditionOf, type Filter } from './filter.js';

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
export function rowsBeyond(
  keys: SortKeys,
  position: readonly unknown[],
  backwards: boolean,
  included = false,
): Condition {
  // Each condition contains that for the less significant columns, so no value is repeated with each of them.
  return (
    keys.reduceRight<Condition | undefined>((beyondOnTie, key, index) => {
      const value = position[index];
      const isLast = index === keys.length - 1;
      const further = furtherThan(key, value, backwards, included && isLast);
      const tie = beyondOnTie && allOf(equals(key.field, value), beyondOnTie);
      return further && tie ? anyOf(further, tie) : (further ?? tie);
    }, undefined) ?? never
  );
}

export const positionOf = (keys: SortKeys, row: SelectedRecord): unknown[] => keys.map(({ field }) => row[field]);

/** The condition for rows whose value in one column is after `value`; undefined if there can be none. */
function furtherThan(
  { field, direction, type, nulls }: SortKey,
  value: unknown,
  backwards: boolean,
  included: boolean,
): Condition | undefined {
  const nullsAreAhead = nulls !== undefined && (nulls === 'last') !== backwards;
  if (value === null) return nullsAreAhead ? undefined : { kind: 'null', field, isNot: true };
  const ascending = (direction === 'asc') !== backwards;
  const operator = ascending ? 'gt' : 'lt';
  let further: Condition | undefined;
  if (type !== 'boolean') further = { kind: 'compare', field, operator: included ? `${operator}e` : operator, value };
  // true sorts after false; Prisma has no `lt` and `gt` for booleans.
  else if (value !== ascending) further = equals(field, ascending);
  if (!nullsAreAhead) return further;
  return further ? anyOf(further, equals(field, null)) : equals(field, null);
}

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
  return [...keys, ...newestFirst];
}

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

// Lists in SQL, for what Prisma cannot express.

/** The list after ORDER BY. */
export function orderSql(keys: SortKeys, backwards: boolean, { column }: Pick<Ground, 'column'>): Prisma.Sql {
  const orders = prismaOrderOf(keys, backwards).flatMap((order) =>
    Object.entries(order).map(([name, by]) => {
      const words = typeof by === 'string' ? by : `${by.sort} NULLS ${by.nulls}`;
      return Prisma.sql`${column(name)} ${Prisma.raw(words.toUpperCase())}`;
    }),
  );
  return Prisma.join(orders);
}

export interface Range {
  where: Condition;
  keys: SortKeys;
  backwards: boolean;
  take: number;
  skip: number;
}

/** The ids of a range whose condition contains SQL, which Prisma does not take. */
export function idsBySql(
  client: Client,
  resource: Resource,
  { where, keys, backwards, take, skip }: Range,
): Promise<SelectedRecord[]> {
  const ground = groundOf();
  return client.$queryRaw`
    SELECT t0."id" FROM ${Prisma.raw(`"${resource.model}"`)} AS t0 WHERE ${conditionSql(where, ground)}
    ORDER BY ${orderSql(keys, backwards, ground)} LIMIT ${take} OFFSET ${skip}`;
}

/** The number of records that fulfil a condition. */
export async function countBySql(client: Client, resource: Resource, where: Condition): Promise<number> {
  // Nothing fulfils one of none.
  if (where.kind === 'or' && where.of.length === 0) return 0;
  const rows = await client.$queryRaw<{ count: unknown }[]>`
    SELECT count(*) AS "count" FROM ${Prisma.raw(`"${resource.model}"`)} AS t0
    WHERE ${conditionSql(where, groundOf())}`;
  return Number(rows[0]?.count ?? 0);
}

/** The two kinds of lists: all records of a type, newest first, and the lines of one parent by position. */
export interface ListRequest {
  /** Only for lines, which are always listed by parent. */
  parentId?: string | undefined;
  where?: Filter | null | undefined;
  orderBy?: readonly OrderBy[] | null | undefined;
}

export type Listed = ReturnType<typeof listOf>;

/** What a list asks for, parsed, and the types to which its condition follows links. `standard` is the order where none is given. */
export function listOf(
  resource: Resource,
  { parentId, where, orderBy }: ListRequest,
  standard = resource.scope === undefined ? newestFirst : byPosition,
) {
  const conditions = parentId === undefined ? [] : [equals(scopeOf(resource), parentId)];
  const chosen = conditionOf(resource, where);
  if (where != null) conditions.push(chosen);
  return {
    where: allOf(...conditions),
    linked: linkedIn(chosen),
    keys: keysOf(resource, orderBy, standard),
  };
}
