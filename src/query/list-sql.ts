/** Lists in SQL, for what Prisma cannot express. */
import { Prisma } from '../generated/sqlite/client.js';
import type { Resource } from '../model/resource.js';
import { type ColumnResolver, columnResolverOf, conditionSql } from './condition.js';
import type { Client, Where } from './delegate.js';
import { conditionOf, type Filter, whereOf } from './filter.js';
import { byPosition, keysOf, newestFirst, type OrderBy, prismaOrderOf, type SortKeys } from './keyset.js';
import { scopeOf } from './scope.js';

/** The list after ORDER BY. */
export function orderSql(keys: SortKeys, backwards: boolean, { column }: Pick<ColumnResolver, 'column'>): Prisma.Sql {
  const orders = prismaOrderOf(keys, backwards).flatMap((order) =>
    Object.entries(order).map(([name, by]) => {
      const words = typeof by === 'string' ? by : `${by.sort} NULLS ${by.nulls}`;
      return Prisma.sql`${column(name)} ${Prisma.raw(words.toUpperCase())}`;
    }),
  );
  return Prisma.join(orders);
}

interface Range {
  where: Where;
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
): Promise<{ id: string }[]> {
  const columns = columnResolverOf(resource);
  return client.$queryRaw`
    SELECT t0."id" FROM ${Prisma.raw(`"${resource.model}"`)} AS t0 WHERE ${conditionSql(where, columns)}
    ORDER BY ${orderSql(keys, backwards, columns)} LIMIT ${take} OFFSET ${skip}`;
}

/** The number of records that fulfil a condition which Prisma does not take. */
export async function countBySql(client: Client, resource: Resource, where: Where): Promise<number> {
  const rows = await client.$queryRaw<{ count: unknown }[]>`
    SELECT count(*) AS "count" FROM ${Prisma.raw(`"${resource.model}"`)} AS t0
    WHERE ${conditionSql(where, columnResolverOf(resource))}`;
  return Number(rows[0]?.count ?? 0);
}

/** The two kinds of lists: all records of a type, newest first, and the lines of one parent by position. */
export interface ListRequest {
  /** Only for lines, which are always listed by parent. */
  parentId?: string;
  where?: Filter | null | undefined;
  orderBy?: readonly OrderBy[] | null | undefined;
}

export function listOf(
  resource: Resource,
  { parentId, where, orderBy }: ListRequest,
): { where: Where; keys: SortKeys } {
  if (parentId === undefined) {
    return { where: conditionOf(resource, where), keys: keysOf(resource, orderBy, newestFirst) };
  }
  const siblings = { [scopeOf(resource)]: parentId };
  return {
    where: where ? { AND: [siblings, whereOf(resource, where)] } : siblings,
    keys: keysOf(resource, orderBy, byPosition),
  };
}
