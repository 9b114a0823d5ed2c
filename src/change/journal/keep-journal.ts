/** What a process does for the journal as long as it runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { repeat } from '../../common/timing.js';
import { type Procedure, rows } from '../../common/work.js';
import type { Database } from '../../database/open-database.js';
import { instant, positionColumn } from './entry.js';
import type { Journal } from './journal.js';
import { numberEntries, rowsOf } from './journal-state.js';
import { keepOn, leaveOff, raisePositions, raiseSequences } from './open-journal.js';

/** Milliseconds before the first sweep, short enough for processes that are restarted often, and between sweeps. */
const sweeps = { first: 60 * 1000, every: 60 * 60 * 1000 };

/**
 * Maintains the journal until the returned function is called: keeps it on, or off where no process keeps it; deletes
 * old entries, unless `days` is undefined because another process does that; and on PostgreSQL gives positions even if
 * nobody reads, so that entries without one do not pile up. A failure is only logged, because the next attempt follows.
 */
export function keepJournal(
  database: Database,
  journal: Journal,
  days: number | undefined,
  log: Pick<Logger, 'warn'>,
  { first, every } = sweeps,
): () => void {
  const end = new AbortController();
  const { signal } = end;
  const keep = (first: number, every: number, work: () => Promise<unknown>, problem: string) =>
    void repeat(work, { first, every, signal }, (err) => signal.aborted || log.warn({ err }, problem));
  if (days !== undefined) {
    const sweep = () => sweepJournal(database, journal, days, { signal });
    keep(first, every, sweep, 'Old entries of the journal could not be deleted');
  }
  let isTold = false;
  const stay = async () => {
    if (!(await (journal.isKept ? keepOn : leaveOff)(database)) || isTold) return;
    isTold = !journal.isKept;
    log.warn(journal.isKept ? turnedOff : keptByOthers);
  };
  keep(second, second, stay, unknown);
  if (database.provider === 'sqlite' && journal.isKept) {
    let known = 0;
    const raise = async () => {
      const { last } = await journal.continuationOf(0);
      if (last < known) await database.perform(() => raisePositions());
      known = last;
    };
    keep(0, second, raise, 'The positions of the journal could not be checked');
  }
  if (database.provider === 'postgresql') {
    const number = () => numberEntries(database);
    keep(second, second, number, 'Entries of the journal could not be given positions');
    const raise = () => raiseSequences(database);
    keep(second, 5 * second, raise, 'The sequences could not be checked');
  }
  return () => end.abort();
}

const second = 1000;
const unknown = 'It could not be determined whether the journal is on';
const keptByOthers =
  'JOURNAL=false, but another process keeps the journal, or did until a moment ago. So this one writes into it too, until half a minute after the last one that keeps it has ended. Give all processes the same setting.';
const turnedOff =
  'Another process has turned the journal off (JOURNAL=false). It is on again, for all processes, because this one keeps it; readers are told that changes are missing. Give all processes the same setting.';

/** Deletes entries of the journal that are older than JOURNAL_DAYS. */
const day = 24 * 60 * 60 * 1000;
/** Entries deleted in each transaction, and milliseconds between them: on SQLite all writers wait for each. */
const batch = { entries: 200, pause: 20 };

/** Deletes what is older than `days`, up to where the journal is held; returns the number of entries. */
export async function sweepJournal(
  database: Database,
  journal: Journal,
  days: number,
  { now = Date.now(), signal }: { now?: number; signal?: AbortSignal } = {},
): Promise<number> {
  await numberEntries(database);
  const times = { old: now - days * day, now };
  let behind: Behind | undefined;
  for (let count = 0; ; ) {
    const { deleted, allFutureUpTo } = await database.perform(() => sweepBatch(database, journal, times, behind));
    count += deleted;
    if (signal?.aborted) return count;
    if (deleted === 0) {
      if (allFutureUpTo === undefined) return count;
      behind = await nextOfPast(database, allFutureUpTo, now);
      if (!behind || behind.time >= times.old) return count;
    }
    await sleep(batch.pause, undefined, { ref: false });
  }
}

/**
 * The entry that follows a run of entries with times in the future, and whose own time is not in the future. The
 * entries of the run count as being as old as this one.
 */
interface Behind {
  position: number;
  time: number;
}

interface SweptBatch {
  deleted: number;
  /** The last of a whole batch of entries with times in the future, if the entries after it have not been examined. */
  allFutureUpTo?: number;
}

/**
 * Deletes the oldest entries, up to `old` in milliseconds since 1970; what is later than `now` is of the future. Notes
 * in the same transaction from when on the journal is complete. The state is locked first: of two processes that sweep,
 * the later one sees what the other has deleted, and no reader goes back to what is being deleted.
 */
function* sweepBatch(
  { provider }: Pick<Database, 'provider'>,
  journal: Pick<Journal, 'heldAt'>,
  times: { old: number; now: number },
  behind: Behind | undefined,
): Procedure<SweptBatch> {
  const position = positionColumn(provider);
  const at = provider === 'sqlite' ? '"at"' : '"at"::text';
  const place = (index: number, type: string) => (provider === 'sqlite' ? '?' : `$${index}::${type}`);
  if (provider === 'postgresql') yield* rows('SELECT 1 FROM "JournalState" WHERE "id" = 1 FOR UPDATE', []);
  const held = Math.min(yield* journal.heldAt(), Number.MAX_SAFE_INTEGER);
  const oldest = yield* rows(
    `SELECT ${position}, ${at} FROM "JournalEntry" WHERE ${position} <= ${place(1, 'bigint')} ORDER BY ${position} LIMIT ${batch.entries}`,
    [held],
  );
  const entries = oldest.map(([found, time]) => ({ position: Number(found), time: instant(time).getTime() }));
  // Up to the last one that is old: what was committed before it is older, even if a clock was ahead then.
  let swept = entries.slice(0, entries.findLastIndex(({ time }) => time < times.old) + 1);
  // An entry may be a little younger than those after it, which are of other documents.
  let since = Math.max(...swept.map(({ time }) => time).filter((time) => time < times.old));
  const end = entries.at(-1);
  if (end && entries.length === batch.entries && entries.every(({ time }) => time > times.now)) {
    if (!behind || behind.position <= end.position) return { deleted: 0, allFutureUpTo: end.position };
    [swept, since] = [entries, behind.time];
  }
  const last = swept.at(-1);
  if (!last) return { deleted: 0 };
  const stored = new Date(since).toISOString().replace('Z', provider === 'sqlite' ? '+00:00' : 'Z');
  const later = provider === 'sqlite' ? 'max' : 'greatest';
  // While the journal is turned off, it stays without a beginning: PostgreSQL's greatest() would ignore the null.
  yield* rows(
    `UPDATE "JournalState" SET "swept" = ${later}("swept", ${place(1, 'bigint')}),
     "since" = CASE WHEN "since" IS NULL THEN NULL ELSE ${later}("since", ${place(2, 'timestamp(3)')}) END WHERE "id" = 1`,
    [last.position, stored],
  );
  yield* rows(`DELETE FROM "JournalEntry" WHERE ${position} <= ${place(1, 'bigint')}`, [last.position]);
  return { deleted: swept.length };
}

/**
 * The next entry that is not of the future; undefined if there is none. Documents from a clock that was ahead, or that
 * an import has brought, may have a time of the future for ever, and so have the entries of all their changes. Because
 * there may be many, they are looked through only once, and outside of transactions, so that no writer waits.
 */
async function nextOfPast(database: Database, after: number, now: number): Promise<Behind | undefined> {
  const { provider } = database;
  const position = positionColumn(provider);
  const [at, isPast] =
    provider === 'sqlite' ? ['"at"', 'substr("at", 1, 23) <= ?'] : ['"at"::text', '"at" <= ?::timestamp(3)'];
  const sql = `SELECT ${position}, ${at} FROM "JournalEntry" WHERE ${position} > ? AND ${isPast} ORDER BY ${position} LIMIT 1`;
  const [next] = await rowsOf(database, sql, [after, new Date(now).toISOString().slice(0, 23)]);
  return next && { position: Number(next[0]), time: instant(next[1]).getTime() };
}
