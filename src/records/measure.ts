/** What is asked of a group of records, and what the records of a group have in common, as SQL and back. */
import type { Provider } from '../database/migration-history.js';
import { Prisma } from '../generated/sqlite/client.js';
import type { FieldType } from '../model/field.js';
import type { Resource } from '../model/resource.js';

const kinds = ['count', 'sum', 'avg', 'min', 'max'] as const;

export interface Measure {
  of: (typeof kinds)[number];
  /** The field measured; none for the count. */
  field?: string | null | undefined;
}

export interface GroupKey {
  field: string;
  /** Only this part of a date, which texts and instants begin with alike. */
  by?: DatePart | null | undefined;
}

export type DatePart = 'year' | 'month' | 'day';

/** Values by field, as the surface gives them. */
export type Measured = Record<string, string | number | boolean | Date | null>;
type Value = Measured[string];

/** `sum.grandTotal`, `count` */
export const measureName = ({ of, field }: Measure): string => (field ? `${of}.${field}` : of);

/** The measure of a name that `measureName` has made. */
export function measureNamed(name: string): Measure {
  const [kind, field] = name.split('.');
  const of = kinds.find((candidate) => candidate === kind);
  if (!of) throw new Error(`${name} is no measure`);
  return { of, field };
}

/** The type of a field that can be measured or grouped by: one of the document's, or one of the gateway's own. */
export function typeOfField({ fields }: Resource, name: string): FieldType | 'DateTime' {
  if (name === 'createdAt' || name === 'updatedAt') return 'DateTime';
  return fields.find((field) => field.name === name)?.type ?? 'String';
}

/** A measure as SQL for records of the resource, called `t0`. */
export function measureSql(provider: Provider, resource: Resource, { of, field }: Measure): Prisma.Sql {
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
      return Prisma.sql`min(${column})`;
    case 'max':
      return Prisma.sql`max(${column})`;
  }
}

type Sum = (column: Prisma.Sql) => Prisma.Sql;

/** Integers are summed up as integers and then taken for doubles, so both databases compare and answer one type. */
const wholeSum: Sum = (column) => Prisma.sql`CAST(sum(${column}) AS DOUBLE PRECISION)`;

/**
 * Numbers are summed up as the decimals they are written as, exactly: 0.1 + 0.2 is 0.3, in whatever order. Only the sum
 * becomes a double, the nearest one; infinity where it is beyond all of them. PostgreSQL fails where that is infinity, or
 * 0 for a sum that is not; all decimals of doubles are multiples of 1e-324, of which 3 are nearer to the least double.
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

/** The least number that is rounded to infinity. */
const beyondDoubles = Prisma.raw(String(2n ** 1024n - 2n ** 970n));

/**
 * The sum by the number of values. PostgreSQL fails where that is rounded to 0, which is where the sum has no more than
 * half as many of the least doubles.
 */
const averages: Record<Provider, (sum: Prisma.Sql, count: Prisma.Sql) => Prisma.Sql> = {
  sqlite: (sum, count) => Prisma.sql`${sum} / ${count}`,
  postgresql: (sum, count) => Prisma.sql`CASE WHEN abs(${sum}) <= ${count} / 2 * ${leastDouble} THEN 0
    ELSE (${sum}) / ${count} END`,
};

const leastDouble = Prisma.raw(`CAST('${Number.MIN_VALUE}' AS DOUBLE PRECISION)`);

export function measureValue(resource: Resource, { of, field }: Measure, value: unknown): Value {
  if (of === 'count') return Number(value);
  if (value === null || value === undefined) return null;
  if (of === 'sum' || of === 'avg') return Number(value);
  return plain[typeOfField(resource, field ?? '')](value);
}

/** Both databases write an instant as text that begins with its date. */
export function keySql(resource: Resource, { field, by }: GroupKey): Prisma.Sql {
  const column = Prisma.raw(`t0."${field}"`);
  if (!by) return column;
  const text = typeOfField(resource, field) === 'DateTime' ? Prisma.sql`CAST(${column} AS TEXT)` : column;
  return Prisma.sql`substr(${text}, 1, ${lengths[by]})`;
}

/** `2026`, `2026-01`, `2026-01-31` */
const lengths: Record<DatePart, Prisma.Sql> = { year: Prisma.sql`4`, month: Prisma.sql`7`, day: Prisma.sql`10` };

export function keyValue(resource: Resource, { field, by }: GroupKey, value: unknown): Value {
  if (value === null || value === undefined) return null;
  const type = by ? 'String' : typeOfField(resource, field);
  const key = plain[type](value);
  return key instanceof Date ? key.toISOString() : key;
}

const plain: Record<FieldType | 'DateTime', (value: unknown) => Exclude<Value, null>> = {
  String,
  Int: Number,
  Float: Number,
  Boolean: (value) => Boolean(Number(value)),
  DateTime: (value) => (value instanceof Date ? value : new Date(String(value))),
};
