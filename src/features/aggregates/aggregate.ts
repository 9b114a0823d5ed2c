/** Counts and sums records, as a whole or in groups, with one SQL statement. */

import type { RequestContext } from '../../change/context.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { errors } from '../../model/errors/errors.js';
import type { FieldType } from '../../model/field.js';
import type { Resource } from '../../model/resource.js';
import { type Condition, conditionSql, type Ground, groundOf } from '../../query/condition.js';
import { comparisonsOf, type Filter, parsed } from '../../query/filter.js';
import type { OrderBy } from '../../query/list.js';

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

// Measures and keys of groups: as SQL, and their results converted back.

const kinds = ['count', 'sum', 'avg', 'min', 'max'] as const;

export interface Measure {
  of: (typeof kinds)[number];
  /** The measured field; none for the count. */
  field?: string | null | undefined;
}

/** The field by which records are grouped, and the order of the groups by it where no other order decides. */
export interface GroupKey extends OrderBy {
  /** What is measured of the field to sort the groups by it, in place of the key. */
  measure?: Measure['of'] | null | undefined;
  /** The part of a date to group by; texts and timestamps begin with it alike. */
  by?: DatePart | null | undefined;
}

export type DatePart = 'year' | 'month' | 'day';

/** Values by field, as the API returns them. */
export type Measured = Record<string, string | number | boolean | Date | null>;
type Value = Measured[string];

/** Parses a name such as `sum.grandTotal` or `count`. */
export function measureNamed(name: string): Measure {
  const [kind, field] = name.split('.');
  const of = kinds.find((candidate) => candidate === kind);
  if (!of) throw new Error(`${name} is no measure`);
  return { of, field };
}

/** The type of a documented field, a timestamp, or what the gateway numbers. */
export function typeOfField({ fields }: Resource, name: string): FieldType | 'DateTime' {
  if (name === 'createdAt' || name === 'updatedAt') return 'DateTime';
  if (name === 'version') return 'Int';
  return fields.find((field) => field.name === name)?.type ?? 'String';
}

/** A measure as SQL over the records of the resource, with alias `t0`. */
function measureSql(provider: Provider, resource: Resource, { of, field }: Measure): Prisma.Sql {
  const column = Prisma.raw(`t0."${field}"`);
  const sum = () => (typeOfField(resource, field ?? '') === 'Float' ? decimalSums[provider] : wholeSum)(column);
  switch (of) {
    case 'count':
      return Prisma.sql`count(*)`;
    case 'sum':
      return sum();
    case 'avg':
      return averages[provider](sum(), Prisma.sql`count(${column})`);
    case 'min':
    case 'max':
      return Prisma.sql`${Prisma.raw(of)}(${column})`;
  }
}

type Sum = (column: Prisma.Sql) => Prisma.Sql;

/** Integers are summed exactly and then converted to double, so that both databases have the same type. */
const wholeSum: Sum = (column) => Prisma.sql`CAST(sum(${column}) AS DOUBLE PRECISION)`;

/**
 * Numbers are summed exactly as decimals (0.1 + 0.2 is 0.3), in any order, and only the sum is rounded to a double, or
 * to infinity beyond their range. PostgreSQL's cast fails for overflow and underflow, so both are handled here:
 * decimals of doubles are multiples of 1e-324, and sums from 3e-324 on round to the smallest double.
 */
const decimalSums: Record<Provider, Sum> = {
  sqlite: (column) => Prisma.sql`decimal_sum(${column})`,
  postgresql: (column) => {
    const sum = Prisma.sql`sum(CAST(
      CASE WHEN abs(${column}) < 9007199254740992 THEN CAST(${column} AS TEXT) ELSE gateway_number(${column}) END AS NUMERIC
    ))`;
    return Prisma.sql`CASE WHEN abs(${sum}) < 3e-324 THEN 0
      WHEN abs(${sum}) < ${beyondDoubles} THEN CAST(${sum} AS DOUBLE PRECISION)
      ELSE sign(${sum}) * CAST('Infinity' AS DOUBLE PRECISION) END`;
  },
};

/** The smallest number that rounds to infinity. */
const beyondDoubles = Prisma.raw(String(2n ** 1024n - 2n ** 970n));

/**
 * The sum divided by the number of values. PostgreSQL fails if the result would round to 0, that is, if the sum is at
 * most half the smallest double for each value.
 */
const averages: Record<Provider, (sum: Prisma.Sql, count: Prisma.Sql) => Prisma.Sql> = {
  sqlite: (sum, count) => Prisma.sql`${sum} / ${count}`,
  postgresql: (sum, count) => Prisma.sql`CASE WHEN abs(${sum}) <= ${count} / 2 * ${leastDouble} THEN 0
    ELSE (${sum}) / ${count} END`,
};

const leastDouble = Prisma.raw(`CAST('${Number.MIN_VALUE}' AS DOUBLE PRECISION)`);

function measureValue(resource: Resource, { of, field }: Measure, value: unknown): Value {
  if (of === 'count') return Number(value);
  if (value === null || value === undefined) return null;
  if (of === 'sum' || of === 'avg') return Number(value);
  return valueReaders[typeOfField(resource, field ?? '')](value);
}

/** Both databases write a timestamp as text that begins with its date. */
function keySql(resource: Resource, { field, by }: GroupKey): Prisma.Sql {
  const column = Prisma.raw(`t0."${field}"`);
  if (!by) return column;
  const text = typeOfField(resource, field) === 'DateTime' ? Prisma.sql`CAST(${column} AS TEXT)` : column;
  return Prisma.sql`substr(${text}, 1, ${lengths[by]})`;
}

/** The lengths of `2026`, `2026-01` and `2026-01-31`. */
const lengths: Record<DatePart, Prisma.Sql> = { year: Prisma.sql`4`, month: Prisma.sql`7`, day: Prisma.sql`10` };

function keyValue(resource: Resource, { field, by }: GroupKey, value: unknown): Value {
  if (value === null || value === undefined) return null;
  const type = by ? 'String' : typeOfField(resource, field);
  const key = valueReaders[type](value);
  return key instanceof Date ? key.toISOString() : key;
}

const valueReaders: Record<FieldType | 'DateTime', (value: unknown) => Exclude<Value, null>> = {
  String,
  Int: Number,
  Float: Number,
  Boolean: (value) => Boolean(Number(value)),
  DateTime: (value) => (value instanceof Date ? value : new Date(String(value))),
};

/** The condition `{ count: { gt }, grandTotal: { sum: { gte } }, or: [ … ] }`, with each measure under its own name. */
export const havingCondition = (having: Filter): Condition =>
  parsed(having, false, (name, value, isNot) =>
    name === 'count'
      ? comparisonsOf(name, false, value, isNot)
      : parsed(value, isNot, (of, comparison) => comparisonsOf(`${of}.${name}`, true, comparison, isNot)),
  );
