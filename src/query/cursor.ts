/**
 * A cursor marks one row of an ordered list by its sort values and its id. A page after it therefore costs the same
 * anywhere in the list, and the cursor stays valid when rows are added or deleted, also when its own row is deleted,
 * and when lines are reordered. Only one that marks a row by a long text needs this row to stay as it is.
 */

import { createHash } from 'node:crypto';
import type { Provider } from '../database/migrations/migration-history.js';
import type { SeenDatabase } from '../database/open-database.js';
import { Prisma } from '../generated/sqlite/client.js';
import { errors } from '../model/errors/errors.js';
import { isInt32, isStorableText } from '../model/field.js';
import { readInstant } from '../model/instant.js';
import { isIdOf, type Resource } from '../model/resource.js';
import type { Delegate, SelectedRecord } from './delegate.js';
import { byPosition, positionOf, type SortKey, type SortKeys } from './list.js';

export interface Cursor {
  /** The sort values; a long one is a `LongValue`. */
  position: readonly unknown[];
  id: string;
}

export function cursorOf(keys: SortKeys, row: SelectedRecord): string {
  const values = positionOf(withId(keys), row).map(cursorValueOf);
  return Buffer.from(JSON.stringify([signatureOf(keys), ...values])).toString('base64url');
}

type Argument = 'after' | 'before';

export type Cursors = Readonly<Record<Argument, Cursor | undefined>>;

/** @throws BAD_USER_INPUT for a cursor that this list did not return */
export const readCursor = (resource: Resource, keys: SortKeys, cursor: string, argument: Argument): Cursor =>
  cursorOfList((id) => isIdOf(resource, id), keys, valuesIn(cursor).map(parsedLongValue), argument);

/**
 * The position in a list of several types. Its sort values must be short, because a long one would have to be looked up
 * in one of the types.
 */
export const readPositionAmong = (
  isListed: (id: string) => boolean,
  keys: SortKeys,
  cursor: string,
  argument: Argument,
): readonly unknown[] => cursorOfList(isListed, keys, valuesIn(cursor), argument).position;

function cursorOfList(
  isListed: (id: string) => boolean,
  keys: SortKeys,
  [signature, ...values]: readonly unknown[],
  argument: Argument,
): Cursor {
  const columns = withId(keys);
  const id = String(values.at(-1));
  const isOfThisOrder = signature === signatureOf(keys) && values.length === columns.length;
  if (isOfThisOrder && isListed(id) && columns.every((key, index) => accepts(key, values[index]))) {
    const position = keys.map(({ type }, index) => valueAt(type, values[index]));
    return { position, id };
  }
  throw errors.invalidAt(
    [argument],
    'must be a cursor that this list returned, in the same order, taken from `edges.cursor` or `pageInfo`',
  );
}

/**
 * The position at which a page begins or ends. Lines move, so a line's current position is looked up; if the line is
 * gone, the next one has taken its position.
 */
export async function currentPosition(
  model: Delegate,
  keys: SortKeys,
  { position, id }: Cursor,
  argument: Argument,
): Promise<readonly unknown[]> {
  if (keys !== byPosition) return position;
  const line = await model.findUnique({ where: { id }, select: { id: true, idx: true } });
  if (line) return positionOf(keys, line);
  return argument === 'after' ? [Number(position[0]) - 1] : position;
}

export const cursorColumns = (keys: SortKeys): string[] => withId(keys).map(({ field }) => field);

/** The columns in a cursor: the sort columns, then the id. */
function withId(keys: SortKeys): SortKeys {
  return keys.at(-1)?.field === 'id' ? keys : [...keys, { field: 'id', direction: 'asc', type: 'string' }];
}

function valuesIn(cursor: string): unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(values) ? values : [];
  } catch {
    return [];
  }
}

/** Identifies the order that a cursor belongs to; in another order its position has no meaning. */
export const signatureOf = (keys: SortKeys): string =>
  keys.map(({ field, direction, nulls = '', of = '' }) => `${field} ${direction} ${nulls} ${of}`.trim()).join();

function accepts({ field, type, nulls }: SortKey, value: unknown): boolean {
  if (value instanceof LongValue) return type === 'string' && field !== 'id';
  return value === null ? nulls !== undefined : formOf[type](value);
}

const formOf: Record<SortKey['type'], (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string' && isStorableText(value),
  integer: (value) => typeof value === 'number' && isInt32(value),
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  // Exactly as `toISOString` writes it.
  instant: (value) => typeof value === 'string' && readInstant(value)?.toISOString() === value,
};

/** Converts to the form that rows have. */
const valueAt = (type: SortKey['type'], value: unknown): unknown =>
  type === 'instant' && typeof value === 'string' ? new Date(value) : value;

// Reads the long texts of a cursor's record within the database: a cursor of a few hundred characters may stand for
// megabytes, which must enter neither this process nor a condition.

/** Whether the position can be used only after `lookedUp`. */
export const hasLongValues = ({ position }: Cursor): boolean => position.some((value) => value instanceof LongValue);

/**
 * The position for SQL: a long value is a subquery for the value of the record `id`, so that the text never leaves the
 * database. Conditions with it are for `conditionSql`, not for Prisma. `refuseChanged` checks that the record still has
 * the value.
 */
export function lookedUp({ model }: Resource, keys: SortKeys, { position, id }: Cursor): readonly unknown[] {
  return position.map((value, index) =>
    value instanceof LongValue
      ? Prisma.sql`(SELECT ${Prisma.raw(columnOf(keys, index))} FROM ${Prisma.raw(`"${model}"`)} WHERE "id" = ${id})`
      : value,
  );
}

/**
 * `read` reads the rows first, so that a change in the meantime is noticed too. @throws BAD_USER_INPUT if the record of a
 * cursor is gone or has other values than when the cursor was made: the position of the cursor is then unknown
 */
export async function refuseChanged(
  { provider, client }: Pick<SeenDatabase, 'provider' | 'client' | 'limit'>,
  { model }: Resource,
  keys: SortKeys,
  cursors: Cursors,
  read: () => Promise<unknown>,
): Promise<void> {
  for (const argument of ['after', 'before'] as const) {
    const { position = [], id = '' } = cursors[argument] ?? {};
    const checks = position.flatMap((value, index) =>
      value instanceof LongValue
        ? [{ field: keys[index]?.field, matches: sameHash(provider, columnOf(keys, index), value) }]
        : [],
    );
    if (checks.length === 0) continue;
    await read();
    const [row] = await client.$queryRaw<Record<string, unknown>[]>`
    SELECT ${Prisma.join(checks.map(({ matches }, index) => Prisma.sql`${matches} AS ${Prisma.raw(`"c${index}"`)}`))}
    FROM ${Prisma.raw(`"${model}"`)} WHERE "id" = ${id}`;
    const changed = checks.find((_, index) => Number(row?.[`c${index}`]) !== 1);
    if (!changed) continue;
    const message =
      `marks a record that is gone, or whose \`${changed.field}\` has changed: a text of more than ${longestInCursor} ` +
      'characters is not kept in a cursor. Send the cursor of another record, or none to begin again';
    throw errors.invalidAt([argument], message);
  }
}

/** The position of a row for SQL, without its long values. */
export const rowPosition = (resource: Resource, keys: SortKeys, row: SelectedRecord): readonly unknown[] =>
  lookedUp(resource, keys, { position: positionOf(keys, row).map(cursorValueOf), id: row.id });

/** Whether a position needs `conditionSql`. */
export const needsSql = (position: readonly unknown[]): boolean =>
  position.some((value) => value instanceof Prisma.Sql);

/** 1 if the text of the column has the hash. */
function sameHash(provider: Provider, column: string, { sha256 }: LongValue): Prisma.Sql {
  const hex = Buffer.from(sha256, 'base64url').toString('hex');
  const hash = Prisma.raw(hashSql[provider](column));
  return Prisma.sql`CASE WHEN ${hash} = ${hex} THEN 1 ELSE 0 END`;
}

const columnOf = (keys: SortKeys, index: number): string => `"${keys[index]?.field}"`;

// Sort values that are too long for a cursor: it holds their hash instead, so that every cursor fits into a request. The
// database compares with the value of the record itself.

/** Characters of the longest text in a cursor. With the most sort columns, a cursor has less than 14,000 characters. */
export const longestInCursor = 200;

/** Stands for a long text in a cursor. */
export class LongValue {
  constructor(readonly sha256: string) {}
}

export function cursorValueOf(value: unknown): unknown {
  if (typeof value !== 'string' || !isLong(value)) return value;
  return new LongValue(createHash('sha256').update(value).digest('base64url'));
}

/** Characters are counted as the databases do, for which half of a surrogate pair is none. */
const isLong = (text: string): boolean =>
  text.length > 2 * longestInCursor || (text.length > longestInCursor && [...text].length > longestInCursor);

/** The text of a column as a cursor holds it, so that a long one never leaves the database; `readShortened` reads it. */
export const shortenedSql = (provider: Provider, column: string): string =>
  `CASE WHEN length(${column}) > ${longestInCursor} THEN '#' || ${hashSql[provider](column)} ELSE '=' || ${column} END`;

/** A text, or a `LongValue`. */
export const readShortened = (value: string): unknown =>
  value.startsWith('=') ? value.slice(1) : new LongValue(Buffer.from(value.slice(1), 'hex').toString('base64url'));

/** The hash of the text of a column, in hexadecimal. */
export const hashSql: Record<Provider, (column: string) => string> = {
  // An SQL function defined by `SqliteConnection`.
  sqlite: (column) => `sha256_hex(CAST(${column} AS BLOB))`,
  postgresql: (column) => `encode(sha256(convert_to(${column}, 'UTF8')), 'hex')`,
};

/** The inverse for a parsed cursor: any value that is no `LongValue` is returned as it is. */
export function parsedLongValue(value: unknown): unknown {
  const isHash = typeof value === 'object' && value !== null && 'sha256' in value && typeof value.sha256 === 'string';
  return isHash ? new LongValue(String(value.sha256)) : value;
}
