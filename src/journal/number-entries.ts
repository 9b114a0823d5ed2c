/**
 * Gives positions to the entries of committed transactions on PostgreSQL, where numbers are drawn in another order than
 * transactions commit. Readers do it before they read, so writers pay nothing for it.
 */
import type { Database } from '../database/open-database.js';
import type { Procedure } from '../work.js';

/** About how many entries are numbered in one transaction. */
const most = 5_000;

/**
 * Numbers all entries that are visible and have no position. An entry that is committed later gets a later position. On
 * SQLite, where transactions commit in the order in which they write, each entry has its position at once.
 */
export async function numberEntries({
  provider,
  read,
  perform,
}: Pick<Database, 'provider' | 'read' | 'perform'>): Promise<void> {
  if (provider === 'sqlite' || !read) return;
  for (;;) {
    const found = await read(pending, [most + 1], 'bounded');
    const count = Number(found[0]?.[0]);
    if (count > 0) await perform(numberMany);
    // What is committed from now on, its commit tells of.
    if (count <= most) return;
  }
}

const pending = 'SELECT count(*) FROM (SELECT 1 FROM "JournalEntry" WHERE "position" IS NULL LIMIT $1) AS "pending"';

function* numberMany(): Procedure<void> {
  yield { sql: numbering, values: [], isWhole: true };
}

/**
 * The lock and the numbering are two statements: in READ COMMITTED a statement sees what was committed before it began, so
 * one that waits for the lock would miss what was committed meanwhile, and give the same positions again. A block sends
 * both at once.
 *
 * Entries of one change of a document get adjacent positions, also where those of other transactions were drawn between
 * them, and a change is numbered whole: what was read up to any position of another change holds all of it or nothing.
 */
const numbering = `DO $$ BEGIN
  PERFORM "position" FROM "JournalState" WHERE "id" = 1 FOR UPDATE;
  WITH "pending" AS (
    SELECT "entry", min("entry") OVER (PARTITION BY "documentId", "revision") AS "first"
    FROM "JournalEntry" WHERE "position" IS NULL),
  "new" AS (
    SELECT "entry", row_number() OVER (ORDER BY "first", "entry") AS "place" FROM "pending"
    WHERE "first" <= coalesce(
      (SELECT "entry" FROM "JournalEntry" WHERE "position" IS NULL ORDER BY "entry" OFFSET ${most} LIMIT 1),
      (SELECT max("entry") FROM "pending"))),
  "numbered" AS (
    UPDATE "JournalEntry" SET "position" = "state"."position" + "new"."place"
    FROM "new", "JournalState" AS "state"
    WHERE "JournalEntry"."entry" = "new"."entry" AND "state"."id" = 1
    RETURNING 1)
  UPDATE "JournalState" SET "position" = "position" + (SELECT count(*) FROM "numbered") WHERE "id" = 1;
END $$`;
