/** Opens the journal when the gateway starts, and notes from when on it is complete. */
import type { Provider } from '../database/migrations/migration-history.js';
import type { Database } from '../database/open-database.js';
import type { Resource } from '../model/resource.js';
import { type Procedure, rows } from '../work.js';
import { clock } from './clock.js';
import { createJournal, type Journal } from './journal.js';
import { journalSince, lockOut } from './journal-state.js';
import { numberEntries } from './number-entries.js';

/**
 * With `isKept` false the journal is turned off, and begins anew when it is turned on again. If processes disagree, the
 * one that keeps it turns it on again (`keepOn`), and then the others write into it too.
 */
export async function openJournal(
  database: Database,
  resources: readonly Resource[],
  isKept: boolean,
): Promise<Journal> {
  if (isKept) await turnOn(database);
  else await database.perform(end);
  return createJournal(database, resources, isKept);
}

/** Turns the journal on again if another process has turned it off; returns whether it did. */
export async function keepOn(database: Database): Promise<boolean> {
  if (await journalSince(database)) return false;
  await turnOn(database);
  return true;
}

async function turnOn(database: Database): Promise<void> {
  await numberEntries(database);
  await database.perform(() => begin(database.provider));
}

/**
 * Raises the positions that SQLite gives from now on to the microseconds of the clock, or higher, so that none is given twice: not even
 * by a database that is restored from a backup, where those that were given since are forgotten. PostgreSQL does the same
 * with each numbering, because it may be restored while the gateway runs.
 */
export function* raisePositions(least = 0): Procedure<void> {
  const ours = `"name" = 'JournalEntry'`;
  yield* rows(`UPDATE sqlite_sequence SET "seq" = max("seq", ${clock.sqlite}, CAST(? AS INTEGER)) WHERE ${ours}`, [
    least,
  ]);
  yield* rows(
    `INSERT INTO sqlite_sequence ("name", "seq") SELECT 'JournalEntry', ${clock.sqlite}
     WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE ${ours})`,
    [],
  );
}

/**
 * Notes from when on the journal is complete, if it was turned off. Entries from before do not lead up to those that
 * follow, so one position is left out: also readers that have read all of them are behind it, and are told to begin anew.
 */
function* begin(provider: Provider): Procedure<void> {
  const [now, given] =
    provider === 'sqlite'
      ? [
          `strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')`,
          `coalesce((SELECT "seq" FROM sqlite_sequence WHERE "name" = 'JournalEntry'), 0)`,
        ]
      : [`now() AT TIME ZONE 'UTC'`, `"position"`];
  const later = provider === 'sqlite' ? 'max' : 'greatest';
  const next = `CASE ${given} WHEN 0 THEN 0 ELSE ${later}(${given} + 1, ${clock[provider]}) END`;
  yield* lockOut(provider);
  const [begun] = yield* rows(
    `UPDATE "JournalState" SET "since" = ${now}, "position" = ${next}, "swept" = ${next}
     WHERE "id" = 1 AND "since" IS NULL RETURNING "swept"`,
    [],
  );
  if (provider === 'sqlite') yield* raisePositions(Number(begun?.[0] ?? 0));
}

/** A journal that was turned on has given a position from then on, also if it has no entry: it begins anew behind it. */
function* end(): Procedure<void> {
  const sql = `UPDATE "JournalState" SET "since" = NULL, "position" = CASE "position" WHEN 0 THEN 1 ELSE "position" END
    WHERE "id" = 1 AND "since" IS NOT NULL`;
  yield { sql, values: [], isWhole: true };
}
