/**
 * Reads the long texts of a cursor's record within the database: a cursor of a few hundred characters may stand for
 * megabytes, which must enter neither this process nor a condition.
 */
import type { Provider } from '../database/migrations/migration-history.js';
import type { Database } from '../database/open-database.js';
import { Prisma } from '../generated/sqlite/client.js';
import { errors } from '../model/errors/errors.js';
import type { Resource } from '../model/resource.js';
import type { Cursor } from './cursor.js';
import type { SelectedRecord } from './delegate.js';
import { positionOf, type SortKeys } from './keyset.js';
import { cursorValueOf, hashSql, LongValue, longestInCursor } from './long-values.js';

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
 * Call it after the rows were read: a change in the meantime is noticed then too. @throws BAD_USER_INPUT for `argument`
 * if the record of the cursor is gone or has other values than when the cursor was made: the position of the cursor is
 * then unknown
 */
export async function refuseChanged(
  { provider, client }: Pick<Database, 'provider' | 'client'>,
  { model }: Resource,
  keys: SortKeys,
  { position, id }: Cursor,
  argument: 'after' | 'before',
): Promise<void> {
  const checks = position.flatMap((value, index) =>
    value instanceof LongValue
      ? [{ field: keys[index]?.field, matches: sameHash(provider, columnOf(keys, index), value) }]
      : [],
  );
  if (checks.length === 0) return;
  const [row] = await client.$queryRaw<Record<string, unknown>[]>`
    SELECT ${Prisma.join(checks.map(({ matches }, index) => Prisma.sql`${matches} AS ${Prisma.raw(`"c${index}"`)}`))}
    FROM ${Prisma.raw(`"${model}"`)} WHERE "id" = ${id}`;
  const changed = checks.find((_, index) => Number(row?.[`c${index}`]) !== 1);
  if (!changed) return;
  const message =
    `marks a record that is gone, or whose \`${changed.field}\` has changed: a text of more than ${longestInCursor} ` +
    'characters is not kept in a cursor. Send the cursor of another record, or none to begin again';
  throw errors.badInput([{ path: [argument], code: 'parameter_invalid', message }]);
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
