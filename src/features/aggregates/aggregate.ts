/** Counts and sums records, as a whole or in groups, with one SQL statement. */
import type { RequestContext } from '../../change/context.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { errors } from '../../model/errors/errors.js';
import type { Resource } from '../../model/resource.js';
import { type Condition, conditionSql, type Ground, groundOf } from '../../query/condition.js';
import type { OrderBy } from '../../query/list.js';
import {
  type GroupKey,
  keySql,
  keyValue,
  type Measure,
  type Measured,
  measureNamed,
  measureSql,
  measureValue,
} from './measure.js';

export interface AggregateQuery {
  where: Condition;
  measures: readonly Measure[];
  keys?: readonly GroupKey[];
  /** A condition on measures, by their names. */
  having?: Condition;
  orders?: readonly GroupOrder[];
  first?: number;
  offset?: number;
}

export interface GroupOrder extends OrderBy {
  /** Undefined: sorts by the key `field`. */
  measure?: Measure['of'] | null | undefined;
  /** Of a key: its part of a date. */
  by?: GroupKey['by'];
}

/** A group: its keys and measures, by field. Null is a key like any other. */
export interface Group {
  keys: Measured;
  count: number;
  sum: Measured;
  avg: Measured;
  min: Measured;
  max: Measured;
}

/**
 * The groups of the records, in the requested order and then by their keys; a single group if there are no keys. A sum
 * beyond the range of a double is infinite; code that returns it to a client refuses it by `finite`.
 */
export async function aggregate(
  { database }: Pick<RequestContext, 'database'>,
  resource: Resource,
  question: AggregateQuery,
): Promise<Group[]> {
  const { keys = [], measures } = question;
  const sql = statement(database.provider, resource, question);
  const rows = await database.client.$queryRaw<Record<string, unknown>[]>(sql);
  return rows.map((row) => {
    const group: Group = { keys: {}, count: 0, sum: {}, avg: {}, min: {}, max: {} };
    for (const [index, key] of keys.entries()) group.keys[key.field] = keyValue(resource, key, row[`k${index}`]);
    for (const [index, measure] of measures.entries()) {
      const value = measureValue(resource, measure, row[`m${index}`]);
      if (measure.of === 'count') group.count = Number(value);
      else group[measure.of][measure.field ?? ''] = value;
    }
    return group;
  });
}

type MeasureSql = (measure: Measure) => Prisma.Sql;

function statement(provider: Provider, resource: Resource, question: AggregateQuery): Prisma.Sql {
  const { where, measures, keys = [], having, first, offset = 0 } = question;
  const measured: MeasureSql = (measure) => measureSql(provider, resource, measure);
  const selected = [
    ...keys.map((key, index) => Prisma.sql`${keySql(resource, key)} AS ${alias('k', index)}`),
    ...measures.map((measure, index) => Prisma.sql`${measured(measure)} AS ${alias('m', index)}`),
  ];
  const table = Prisma.raw(`"${resource.model}" AS t0`);
  const parts = [Prisma.sql`SELECT ${Prisma.join(selected)} FROM ${table} WHERE ${conditionSql(where, groundOf())}`];
  if (keys.length > 0) parts.push(Prisma.sql`GROUP BY ${Prisma.raw(keys.map((_, index) => index + 1).join())}`);
  if (having) parts.push(Prisma.sql`HAVING ${conditionSql(having, groundOfGroups(measured))}`);
  const orders = ordersOf(question, measured);
  if (orders.length > 0) parts.push(Prisma.sql`ORDER BY ${Prisma.join(orders)}`);
  if (first !== undefined) parts.push(Prisma.sql`LIMIT ${first} OFFSET ${offset}`);
  return Prisma.join(parts, ' ');
}

/** The requested order and then that of the keys, so that the order of groups is unique. */
function ordersOf({ keys = [], orders = [] }: AggregateQuery, measured: MeasureSql): Prisma.Sql[] {
  const asked = [...orders, ...keys.filter(({ measure }) => measure)].map((order) => {
    const place = keys.findIndex((key) => key.field === order.field);
    return placed(order.measure ? measured({ of: order.measure, field: order.field }) : alias('k', place), order);
  });
  return [...asked, ...keys.map((key, index) => placed(alias('k', index), key))];
}

const placed = (by: Prisma.Sql, { direction, nulls }: OrderBy): Prisma.Sql =>
  Prisma.sql`${by} ${Prisma.raw(`${direction === 'desc' ? 'DESC' : 'ASC'} NULLS ${nulls === 'first' ? 'FIRST' : 'LAST'}`)}`;

/** In a condition on groups every name is a measure. */
const groundOfGroups = (measured: MeasureSql): Ground => ({
  ...groundOf(),
  column: (name) => measured(measureNamed(name)),
});

const alias = (kind: 'k' | 'm', index: number): Prisma.Sql => Prisma.raw(`"${kind}${index}"`);

/** The value of a measure. @throws BAD_USER_INPUT if it exceeds the range of a double */
export function finite<Value>(value: Value): Value {
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  const message = 'selects numbers that add up to more than a number can hold; narrow it down';
  throw errors.invalidAt(['where'], message);
}
