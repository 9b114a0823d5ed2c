/** What is asked of a group of records, and what the records of a group have in common, as SQL and back. */
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

/**
 * Integers are summed up as integers and then taken for doubles, so both databases compare and answer one type. The
 * average is the sum by the count: PostgreSQL's own also adds up squares, which overflow long before the sum does.
 */
export function measureSql({ of, field }: Measure): Prisma.Sql {
  const column = Prisma.raw(`t0."${field}"`);
  const sum = Prisma.sql`CAST(sum(${column}) AS DOUBLE PRECISION)`;
  switch (of) {
    case 'count':
      return Prisma.sql`count(*)`;
    case 'sum':
      return sum;
    case 'avg':
      return Prisma.sql`${sum} / count(${column})`;
    case 'min':
      return Prisma.sql`min(${column})`;
    case 'max':
      return Prisma.sql`max(${column})`;
  }
}

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
