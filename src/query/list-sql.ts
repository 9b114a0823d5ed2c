/** Lists in SQL, for what Prisma cannot express. */
import { Prisma } from '../generated/sqlite/client.js';
import type { Resource } from '../model/resource.js';
import { type ColumnResolver, columnResolverOf, conditionSql } from './condition.js';
import type { Client, Where } from './delegate.js';
import { prismaOrderOf, type SortKeys } from './keyset.js';

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
