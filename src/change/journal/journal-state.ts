/** What the journal holds: up to which position, and since when. */

import { type Procedure, rows } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { instant, positionColumn } from './entry.js';
import { type EntrySource, numberEntries, rowsOf } from './number-entries.js';

/** Reading after `oldest` misses nothing; `last` is the highest position given out. */
export interface JournalBounds {
  oldest: number;
  last: number;
}

export async function journalBounds(database: EntrySource): Promise<JournalBounds> {
  const { oldest, last } = await continuationOf(database, 0);
  return { oldest, last };
}

/** How the journal goes on after the position that a reader has reached. */
export interface Continuation extends JournalBounds {
  /**
   * Whether the journal has every change after it. Not if some are deleted, and not if the journal has no such
   * position: then a backup from before it was restored, and the reader has seen changes that are undone.
   */
  isHeld: boolean;
  /** Whether changes are written down now. */
  isOn: boolean;
}

export async function continuationOf(database: EntrySource, position: number): Promise<Continuation> {
  await numberEntries(database);
  const highest = database.provider === 'sqlite' ? '(SELECT max("entry") FROM "JournalEntry")' : '"position"';
  const sql = `SELECT "swept", coalesce(${highest}, 0), ${heldSql(database.provider)},
    CASE WHEN "since" IS NULL THEN 0 ELSE 1 END FROM "JournalState" WHERE "id" = 1`;
  const [row] = await rowsOf(database, sql, heldValues(position), 'bounded');
  const oldest = Number(row?.[0] ?? 0);
  const last = Math.max(oldest, Number(row?.[1] ?? 0));
  return { oldest, last, isHeld: Number(row?.[2]) === 1, isOn: Number(row?.[3]) === 1 };
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

/** The highest position of an entry that is not above another; 0 where there is none. */
export async function lastUpTo(database: EntrySource, position: number): Promise<number> {
  const column = positionColumn(database.provider);
  const sql = `SELECT coalesce(max(${column}), 0) FROM "JournalEntry" WHERE ${column} <= ?`;
  const [row] = await rowsOf(database, sql, [position], 'bounded');
  return Number(row?.[0] ?? 0);
}

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
