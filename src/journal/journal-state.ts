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

/**
 * Whether some process keeps the journal, as it is when the transaction commits: until then nobody turns it on. SQLite has
 * one writer anyway.
 */
export function* journalIsOn(provider: Provider): Procedure<boolean> {
  const lock = provider === 'postgresql' ? ' FOR SHARE' : '';
  const [row] = yield* rows(`SELECT "since" FROM "JournalState" WHERE "id" = 1${lock}`, []);
  return row?.[0] != null;
}
