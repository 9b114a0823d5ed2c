/** What the journal holds: up to which position, and since when. */
import { type Procedure, type Rows, rows } from '../../common/work.js';
import { withFurther } from '../../database/direct-access.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Database, SeenDatabase } from '../../database/open-database.js';
import { Turns } from '../../database/turns.js';
import type { Resource } from '../../model/resource.js';
import { entryReader, instant, positionColumn, type StoredEntry } from './entry.js';

/** How the journal goes on after the position that a reader has reached. */
export async function continuationOf(database: EntrySource, position: number) {
  await numberEntries(database);
  const highest = database.provider === 'sqlite' ? '(SELECT max("entry") FROM "JournalEntry")' : '"position"';
  const sql = `SELECT "swept", coalesce(${highest}, 0), ${heldSql(database.provider)},
    CASE WHEN "since" IS NULL THEN 0 ELSE 1 END FROM "JournalState" WHERE "id" = 1`;
  const [row] = await rowsOf(database, sql, heldValues(position), 'bounded');
  /** Reading after it misses nothing; a reader that has not read up to it has missed entries that are deleted. */
  const oldest = Number(row?.[0] ?? 0);
  /** The highest position given out. */
  const last = Math.max(oldest, Number(row?.[1] ?? 0));
  /**
   * Whether the journal has every change after it. Not if some are deleted, and not if the journal has no such
   * position: then a backup from before it was restored, and the reader has seen changes that are undone.
   */
  const isHeld = Number(row?.[2]) === 1;
  return { oldest, last, isHeld, isOn: Number(row?.[3]) === 1 };
}

/**
 * 1 if the journal has every change after a position, otherwise 0. Readers know the positions of entries, and the one
 * up to which the journal was swept.
 */
export const heldSql = (provider: Provider): string =>
  `(SELECT count(*) FROM "JournalState" WHERE "id" = 1 AND ("swept" = ? OR ("swept" < ? AND EXISTS (
    SELECT 1 FROM "JournalEntry" AS "known" WHERE "known".${positionColumn(provider)} = ?))))`;

/** What `heldSql` binds. */
export const heldValues = (position: number): number[] => [position, position, position];

/** From when on the journal has every change; undefined while it is turned off. */
export async function journalSince(database: EntrySource): Promise<Date | undefined> {
  const since = database.provider === 'sqlite' ? '"since"' : '"since"::text';
  const [row] = await rowsOf(database, `SELECT ${since} FROM "JournalState" WHERE "id" = ?`, [1], 'bounded');
  return row?.[0] == null ? undefined : instant(row[0]);
}

/**
 * Whether some process keeps the journal. The answer still holds when the transaction commits: on PostgreSQL no process
 * can turn the journal on until then. The row itself is not locked, because readers of the journal need it to give
 * positions. SQLite has one writer anyway.
 */
export function* journalIsOn(provider: Provider): Procedure<boolean> {
  if (provider === 'postgresql') yield* rows('SELECT gateway_share_journal()', []);
  const [row] = yield* rows('SELECT "since" FROM "JournalState" WHERE "id" = 1', []);
  return row?.[0] != null;
}

/**
 * On PostgreSQL the condition with which one statement writes only if no process keeps the journal, so that no other
 * statement has to ask before. If it occurs several times in a statement, `condition` uses the result of the named
 * query `query`, so that it is evaluated once.
 */
export const journalIsOff = {
  once: '(SELECT gateway_journal_is_off())',
  query: '"journal" AS MATERIALIZED (SELECT gateway_journal_is_off() AS "is off")',
  condition: '(SELECT "is off" FROM "journal")',
};

/** Waits, on PostgreSQL, for the transactions that have found the journal turned off; others wait for this one. */
export function* lockOut(provider: Provider): Procedure<void> {
  if (provider === 'postgresql') yield* rows('SELECT gateway_claim_journal()', []);
}

// Gives positions to the entries of committed transactions on PostgreSQL, where numbers are drawn in another order than
// transactions commit. Readers do it before they read, so writers pay nothing for it.

/**
 * The microseconds since 1970 in SQL, to which positions are raised. Until the year 2255 they are whole numbers that a
 * double holds exactly.
 */
export const clock = {
  sqlite: `CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER)`,
  postgresql: '(extract(epoch FROM clock_timestamp()) * 1000000)::bigint',
} as const;

/** About how many entries are numbered in one transaction. */
export const numberedAtOnce = 5_000;

/**
 * Numbers all entries that are visible and have no position. An entry that is committed later gets a later position. On
 * SQLite, where transactions commit in the order in which they write, each entry has its position at once.
 */
export async function numberEntries({ provider, read, perform }: EntrySource): Promise<void> {
  if (provider === 'sqlite' || !read) return;
  for (;;) {
    const found = await read(pending, [numberedAtOnce + 1], 'bounded');
    const count = Number(found[0]?.[0]);
    if (count > 0) await perform(numberMany);
    // Later entries need no further round: their commits call the listeners.
    if (count <= numberedAtOnce) return;
  }
}

/**
 * The same for a process that has just committed: it numbers about `numberedAtOnce` entries without asking first
 * whether there are any. These are all, unless more are waiting.
 */
export async function numberCommitted({ provider, perform }: EntrySource): Promise<void> {
  if (provider === 'postgresql') await perform(numberMany);
}

const pending = 'SELECT count(*) FROM (SELECT 1 FROM "JournalEntry" WHERE "position" IS NULL LIMIT $1) AS "pending"';

/**
 * Calls no listeners: the commits of the entries have called them already, and readers give positions before they read.
 */
function* numberMany(): Procedure<void> {
  yield { sql: numbering, values: [], isWhole: true, callsNoListeners: true };
}

/**
 * The lock and the numbering are two statements: in READ COMMITTED a statement sees what was committed before it began,
 * so one that waits for the lock would miss what was committed meanwhile, and give the same positions again. A block
 * sends both at once.
 *
 * Entries of one change of a document get adjacent positions, also where those of other transactions were drawn between
 * them, and a change is numbered whole: what was read up to any position of another change holds all of it or nothing.
 *
 * Positions are at least the microseconds of the clock, and so are never given twice: not even by a database that is
 * restored from a backup, where those that were given since are forgotten.
 *
 * A process that waited while another one numbered the same entries finds none. Its commit does not wait for the disk,
 * because it has only locked a row.
 */
const numbering = `DO $$ DECLARE "base" bigint; "count" bigint; BEGIN
  IF NOT EXISTS (SELECT 1 FROM "JournalEntry" WHERE "position" IS NULL) THEN RETURN; END IF;
  SELECT greatest("position", ${clock.postgresql}) INTO "base" FROM "JournalState" WHERE "id" = 1 FOR UPDATE;
  WITH "pending" AS (
    SELECT "entry", min("entry") OVER (PARTITION BY "documentModel", "documentId", "revision") AS "first"
    FROM "JournalEntry" WHERE "position" IS NULL),
  "new" AS (
    SELECT "entry", row_number() OVER (ORDER BY "first", "entry") AS "place" FROM "pending"
    WHERE "first" <= coalesce(
      (SELECT "entry" FROM "JournalEntry" WHERE "position" IS NULL ORDER BY "entry" OFFSET ${numberedAtOnce} LIMIT 1),
      (SELECT max("entry") FROM "pending")))
  UPDATE "JournalEntry" SET "position" = "base" + "new"."place" FROM "new"
  WHERE "JournalEntry"."entry" = "new"."entry";
  GET DIAGNOSTICS "count" = ROW_COUNT;
  IF "count" > 0 THEN UPDATE "JournalState" SET "position" = "base" + "count" WHERE "id" = 1;
  ELSE PERFORM set_config('synchronous_commit', 'off', true); END IF;
END $$`;

// Reads entries up to a number of bytes, found before any large value is loaded.

/** What entries are read, and in which order. Values are `?` in the order of the text. */
interface EntryQuery {
  where: string;
  values: readonly (string | number)[];
  order: string;
  most: number;
  /** The bytes of values after which no further entry is read; the first one is always read. */
  bytes: number;
  /** Bytes that each entry counts besides its values; 0 where it is left out. */
  each?: number;
  /** A further value that each row has, such as `heldSql`, and what it binds. */
  also?: { sql: string; values: readonly number[] };
}

/** Where entries are read from: outside a transaction by a plain read, otherwise inside it. */
export type EntrySource = Pick<Database, 'provider' | 'read' | 'perform'> & Partial<Pick<SeenDatabase, 'limit'>>;

export async function readEntries(
  database: EntrySource,
  resources: readonly Resource[],
  query: EntryQuery,
  reach?: 'bounded',
) {
  const { columns, entryOf } = entryReader(database.provider, resources);
  const { where, values, order, most, bytes, each = 0, also } = query;
  const sql = `
    WITH "found" AS (SELECT "entry", octet_length("changes") + ${each} AS "size", row_number() OVER (ORDER BY ${order}) AS "place"
      FROM "JournalEntry" WHERE ${where} ORDER BY ${order} LIMIT ${most}),
    "summed" AS (SELECT "entry", "size", sum("size") OVER (ORDER BY "place") AS "total" FROM "found")
    SELECT ${columns}, (SELECT count(*) FROM "found"), ${also?.sql ?? 'NULL'} FROM "JournalEntry" WHERE "entry" IN (
      SELECT "entry" FROM "summed" WHERE "total" - "size" <= ${bytes}) ORDER BY ${order}`;
  const found = await rowsOf(database, sql, [...values, ...(also?.values ?? [])], reach);
  // After each row's own values come the number of found entries and the further value.
  const bytesFound = found.reduce((sum, row) => sum + String(row.at(-3)).length, 0);
  /** Whether the number of bytes has cut them short. */
  const isCut = found.length < Number(found[0]?.at(-2) ?? 0);
  const entries: StoredEntry[] = [];
  const turns = new Turns();
  for (const row of found) {
    entries.push(entryOf(row));
    const due = turns.due();
    if (due) await due;
  }
  return { entries, isCut, bytes: bytesFound, also: found[0]?.at(-1) };
}

/** What entries they are, without their changes, which may be large. There are as many as `where` lets be. */
export async function readPlaces(
  database: EntrySource,
  resources: readonly Resource[],
  { where, values, order }: Pick<EntryQuery, 'where' | 'values' | 'order'>,
): Promise<StoredEntry[]> {
  const { columns, entryOf } = entryReader(database.provider, resources, `'{}'`);
  return (await rowsOf(database, `SELECT ${columns} FROM "JournalEntry" WHERE ${where} ORDER BY ${order}`, values)).map(
    entryOf,
  );
}

/** Rows of a statement whose values are `?`. */
export async function rowsOf(
  { provider, read, perform, limit }: EntrySource,
  sql: string,
  values: readonly (string | number)[],
  reach?: 'bounded',
): Promise<Rows> {
  if (read) return read(numbered(provider, sql), values, reach);
  const inside = provider === 'sqlite' ? sql : numbered(provider, sql);
  // In a transaction nothing else limits what a unit of work reads.
  const limited = limit?.(inside, values.length);
  if (!limited) return perform(() => rows(inside, values));
  return perform(() => rows(limited.sql, withFurther(values, limited)));
}

function numbered(provider: Provider, sql: string): string {
  let count = 0;
  return sql.replaceAll('?', () => `${provider === 'sqlite' ? '?' : '$'}${++count}`);
}
