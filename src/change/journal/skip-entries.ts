/** Where the next entry of some record types is, found without reading the entries before it. */
import { type EntrySource, rowsOf } from './entries-sql.js';
import { heldSql, heldValues } from './journal-state.js';
import { positionColumn } from './stored-entry.js';

/** Entries examined by one statement. */
export const examinedAtOnce = 5_000;

/**
 * The highest position up to which no entry behind `after` is about records of these types or lines of their documents.
 * Undefined if there is nothing to skip, or if the journal does not have all entries behind `after`.
 */
export async function skippable(
  database: EntrySource,
  after: number,
  models: readonly string[],
): Promise<number | undefined> {
  const { provider } = database;
  const position = positionColumn(provider);
  const among = `(${models.map(() => '?').join(', ')})`;
  const sql = `WITH "next" AS (SELECT ${position} AS "place", "model", "documentModel" FROM "JournalEntry"
      WHERE ${position} > ? ORDER BY ${position} LIMIT ${examinedAtOnce}),
    "wanted" AS (SELECT min("place") AS "first" FROM "next" WHERE "model" IN ${among} OR "documentModel" IN ${among})
    SELECT max("place") FROM "next" WHERE ${heldSql(provider)} = 1
      AND "place" < coalesce((SELECT "first" FROM "wanted"), ${Number.MAX_SAFE_INTEGER})`;
  const [row] = await rowsOf(database, sql, [after, ...models, ...models, ...heldValues(after)], 'bounded');
  return row?.[0] == null ? undefined : Number(row[0]);
}
