/**
 * Gives positions to the entries of committed transactions on PostgreSQL, where numbers are drawn in another order than
 * transactions commit. Readers do it before they read, so writers pay nothing for it.
 */

import type { Procedure } from '../../common/work.js';
import type { Database } from '../../database/open-database.js';
import { clock } from './clock.js';

/** About how many entries are numbered in one transaction. */
export const numberedAtOnce = 5_000;

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
export async function numberCommitted({ provider, perform }: Pick<Database, 'provider' | 'perform'>): Promise<void> {
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
