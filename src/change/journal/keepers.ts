/**
 * Which processes keep the journal. Each notes it in the database at regular intervals. The journal is turned off only
 * when no process has noted it for a while, because every change made while it is off is missing from it.
 */

import { type Procedure, rows } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Database } from '../../database/open-database.js';
import { clock } from './clock.js';
import { rowsOf } from './entries-sql.js';

/** Microseconds after which the note is written again, and after which the process that wrote it counts as ended. */
const notes = { again: 10_000_000, valid: 30_000_000 };

/** Whether a process has noted within so many microseconds that it keeps the journal. A clock may have been set back. */
const notedWithin = (provider: Provider, microseconds: number): string =>
  `abs(${clock[provider]} - "keptAt") < ${microseconds}`;

/** Whether no process keeps the journal any more, as a condition on the row of `JournalState`. */
export const nobodyKeeps = (provider: Provider): string => `NOT (${notedWithin(provider, notes.valid)})`;

/** Notes that this process keeps the journal. */
export function* noteKept(provider: Provider): Procedure<void> {
  yield* rows(`UPDATE "JournalState" SET "keptAt" = ${clock[provider]} WHERE "id" = 1`, []);
}

const isSettled: Record<Provider, string> = { sqlite: 'true', postgresql: 'gateway_journal_is_settled()' };

export interface Keeping {
  /** Whether changes are written into the journal. */
  isOn: boolean;
  /** Whether a process keeps it, according to the notes. */
  isKept: boolean;
  /** Whether the note is so old that it has to be written again. */
  isOld: boolean;
  /** Whether the switch is set by which statements that write learn the state of the journal (`settleJournal`). */
  isSettled: boolean;
}

export async function keepingOf(database: Pick<Database, 'provider' | 'read' | 'perform'>): Promise<Keeping> {
  const { provider } = database;
  const flag = (condition: string) => `CASE WHEN ${condition} THEN 1 ELSE 0 END`;
  const sql = `SELECT ${flag('"since" IS NOT NULL')}, ${flag(nobodyKeeps(provider))},
    ${flag(notedWithin(provider, notes.again))}, ${flag(isSettled[provider])} FROM "JournalState" WHERE "id" = 1`;
  const [row] = await rowsOf(database, sql, [], 'bounded');
  const [isOn, isLeft, isRecent, settled] = (row ?? []).map((value) => Number(value) === 1);
  return { isOn: isOn === true, isKept: isLeft === false, isOld: isRecent !== true, isSettled: settled === true };
}
