/** What the journal holds: up to which position, and since when. */
import type { Provider } from '../database/migrations/migration-history.js';
import { type Procedure, rows } from '../work.js';
import { type EntrySource, rowsOf } from './entries-sql.js';
import { numberEntries } from './number-entries.js';
import { instant } from './stored-entry.js';

/** Reading after `oldest` misses nothing; `last` is the highest position given out. */
export async function journalBounds(database: EntrySource): Promise<{ oldest: number; last: number }> {
  await numberEntries(database);
  const last = database.provider === 'sqlite' ? '(SELECT max("entry") FROM "JournalEntry")' : '"position"';
  const [row] = await rowsOf(
    database,
    `SELECT "swept", coalesce(${last}, 0) FROM "JournalState" WHERE "id" = ?`,
    [1],
    'bounded',
  );
  const oldest = Number(row?.[0] ?? 0);
  return { oldest, last: Math.max(oldest, Number(row?.[1] ?? 0)) };
}

/** From when on the journal has every change; undefined while it is turned off. */
export async function journalSince(database: EntrySource): Promise<Date | undefined> {
  const since = database.provider === 'sqlite' ? '"since"' : '"since"::text';
  const [row] = await rowsOf(database, `SELECT ${since} FROM "JournalState" WHERE "id" = ?`, [1], 'bounded');
  return row?.[0] == null ? undefined : instant(row[0]);
}

/** The lock of what turns the journal on, among advisory locks: the letters `gatewayj` as a number. */
const lock = '7449363237790906730';

/**
 * Whether some process keeps the journal, as it is when the transaction commits: on PostgreSQL nobody turns it on until
 * then. The row itself is not locked, because readers of the journal need it to give positions. SQLite has one writer anyway.
 */
export function* journalIsOn(provider: Provider): Procedure<boolean> {
  if (provider === 'postgresql') yield* rows(`SELECT pg_advisory_xact_lock_shared(${lock})`, []);
  const [row] = yield* rows('SELECT "since" FROM "JournalState" WHERE "id" = 1', []);
  return row?.[0] != null;
}

/** Waits, on PostgreSQL, for the transactions that have found the journal turned off; others wait for this one. */
export function* lockOut(provider: Provider): Procedure<void> {
  if (provider === 'postgresql') yield* rows(`SELECT pg_advisory_xact_lock(${lock})`, []);
}
