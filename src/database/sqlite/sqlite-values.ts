import { type ArgType, type ColumnType, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import { timestamp } from '../statement-builder.js';

/** The values that better-sqlite3 takes and returns. */
export type SqliteValue = null | number | bigint | string | Uint8Array;

/**
 * Converts Prisma's argument to what SQLite stores. Timestamps are ISO 8601 text in UTC,
 * `2026-01-31T09:30:00.000+00:00`, as in Prisma's own adapter: with one length and one zone, text order is time order.
 */
export function toSqliteValue(argument: unknown, type: ArgType | undefined): SqliteValue {
  if (typeof argument === 'string') return fromText(argument, type);
  if (typeof argument === 'number' || typeof argument === 'bigint' || argument instanceof Uint8Array) return argument;
  if (typeof argument === 'boolean') return argument ? 1 : 0;
  if (argument instanceof Date) return timestamp(argument);
  if (argument === null || argument === undefined) return null;
  throw new TypeError(`SQLite cannot store a value of type ${typeof argument}`);
}

function fromText(text: string, type: ArgType | undefined): SqliteValue {
  switch (type?.scalarType) {
    case 'int':
      return Number.parseInt(text, 10);
    case 'float':
    case 'decimal':
      return Number.parseFloat(text);
    case 'bigint':
      return BigInt(text);
    case 'datetime':
      return timestamp(new Date(text));
    case 'bytes':
      return Buffer.from(text, 'base64');
    default:
      return text;
  }
}

/** Prisma's type of a column declared as `declared`; undefined for an expression or an unknown type. */
export function columnType(declared: string | null): ColumnType | undefined {
  return declared === null ? undefined : declaredTypes[declared.toUpperCase()];
}

/** Those that the migrations declare. */
const declaredTypes: Record<string, ColumnType> = {
  REAL: ColumnTypeEnum.Double,
  INTEGER: ColumnTypeEnum.Int32,
  BIGINT: ColumnTypeEnum.Int64,
  DATETIME: ColumnTypeEnum.DateTime,
  TEXT: ColumnTypeEnum.Text,
  BLOB: ColumnTypeEnum.Bytes,
  BOOLEAN: ColumnTypeEnum.Boolean,
};

/** The type of a column without a declared type, by its first value that is not null. */
export function inferredType(rows: SqliteValue[][], column: number): ColumnType {
  const value = rows.find((row) => row[column] !== null)?.[column];
  if (typeof value === 'string') return ColumnTypeEnum.Text;
  if (typeof value === 'bigint') return ColumnTypeEnum.Int64;
  if (typeof value === 'number') return ColumnTypeEnum.UnknownNumber;
  return value ? ColumnTypeEnum.Bytes : ColumnTypeEnum.Int32;
}

/** Converts the rows in place to what Prisma expects. */
export function converted(rows: SqliteValue[][], types: ColumnType[], bigints: boolean): unknown[][] {
  types.forEach((type, column) => {
    const convert = conversionOf(type, bigints);
    if (!convert) return;
    for (const row of rows) row[column] = convert(row[column] ?? null) as SqliteValue;
  });
  return rows;
}

/**
 * The conversion for a column of `type`; undefined if Prisma takes the values unchanged. `bigints` says that the
 * statement returns integers as bigint.
 */
function conversionOf(type: ColumnType, bigints: boolean): ((value: SqliteValue) => unknown) | undefined {
  switch (type) {
    case ColumnTypeEnum.Text:
    case ColumnTypeEnum.Bytes:
      return undefined;
    case ColumnTypeEnum.Int32:
    case ColumnTypeEnum.Int64:
      return (value) => (typeof value === 'number' ? Math.trunc(value) : numberOrText(value));
    case ColumnTypeEnum.DateTime:
      return (value) =>
        typeof value === 'number' || typeof value === 'bigint' ? new Date(Number(value)).toISOString() : value;
    default:
      return bigints ? numberOrText : undefined;
  }
}

/** Prisma expects an integer as a number, or as text if a number would lose digits. */
function numberOrText(value: SqliteValue): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}
