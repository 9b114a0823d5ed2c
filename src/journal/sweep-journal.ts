/** Deletes entries of the journal that are older than JOURNAL_DAYS. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../database/open-database.js';
import { type Procedure, rows } from '../work.js';
import type { Journal } from './journal.js';
import { numberEntries } from './number-entries.js';
import { keepOn, leaveOff, raisePositions } from './open-journal.js';
import { instant, positionColumn } from './stored-entry.js';

const day = 24 * 60 * 60 * 1000;
/** Milliseconds before the first sweep, short enough for processes that are restarted often, and between sweeps. */
const sweeps = { first: 60 * 1000, every: 60 * 60 * 1000 };
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
  const old = now - days * day;
  for (let count = 0; ; ) {
    const deleted = await database.perform(() => sweepBatch(database, journal, old));
    count += deleted;
    if (deleted < batch.entries || signal?.aborted) return count;
    await sleep(batch.pause, undefined, { ref: false });
  }
}

/**
 * Deletes the oldest entries, and notes in the same transaction from when on the journal is complete. The state is locked
 * first: of two processes that sweep, the later one sees what the other has deleted, and nobody goes back to what is
 * being deleted.
 */
function* sweepBatch(
  { provider }: Pick<Database, 'provider'>,
  journal: Pick<Journal, 'heldAt'>,
  old: number,
): Procedure<number> {
  const position = positionColumn(provider);
  const at = provider === 'sqlite' ? '"at"' : '"at"::text';
  const place = (index: number, type: string) => (provider === 'sqlite' ? '?' : `$${index}::${type}`);
  if (provider === 'postgresql') yield* rows('SELECT 1 FROM "JournalState" WHERE "id" = 1 FOR UPDATE', []);
  const held = yield* journal.heldAt();
  const oldest = yield* rows(
    `SELECT ${position}, ${at} FROM "JournalEntry" WHERE ${position} <= ${place(1, 'bigint')} ORDER BY ${position} LIMIT ${batch.entries}`,
    [Math.min(held, Number.MAX_SAFE_INTEGER)],
  );
  const entries = oldest.map(([found, time]) => ({ position: Number(found), time: instant(time).getTime() }));
  // Up to the last one that is old: what was committed before it is older, even if a clock was ahead then.
  const swept = entries.slice(0, entries.findLastIndex(({ time }) => time < old) + 1);
  const last = swept.at(-1);
  if (!last) return 0;
  // An entry may be a little younger than those after it, which are of other documents.
  const since = new Date(Math.max(...swept.map(({ time }) => time).filter((time) => time < old)));
  const stored = since.toISOString().replace('Z', provider === 'sqlite' ? '+00:00' : 'Z');
  const later = provider === 'sqlite' ? 'max' : 'greatest';
  // While the journal is turned off, it stays without a beginning: PostgreSQL's greatest() would ignore the null.
  yield* rows(
    `UPDATE "JournalState" SET "swept" = ${later}("swept", ${place(1, 'bigint')}),
     "since" = CASE WHEN "since" IS NULL THEN NULL ELSE ${later}("since", ${place(2, 'timestamp(3)')}) END WHERE "id" = 1`,
    [last.position, stored],
  );
  yield* rows(`DELETE FROM "JournalEntry" WHERE ${position} <= ${place(1, 'bigint')}`, [last.position]);
  return swept.length;
}

/**
 * Sweeps regularly, keeps the journal on, or off where nobody keeps it, and gives positions on PostgreSQL even if nobody
 * reads, so that they do not pile up, until the returned function is called. A failure is only logged, because the next
 * attempt follows.
 */
export function keepJournal(
  database: Database,
  journal: Journal,
  days: number,
  log: Pick<Logger, 'warn'>,
  { first, every } = sweeps,
): () => void {
  const end = new AbortController();
  const { signal } = end;
  const repeat = async (wait: number, interval: number, work: () => Promise<unknown>, problem: string) => {
    for (let pause = wait; ; pause = interval) {
      await sleep(pause, undefined, { ref: false, signal });
      await work().catch((err: unknown) => void (signal.aborted || log.warn({ err }, problem)));
    }
  };
  const sweep = () => sweepJournal(database, journal, days, { signal });
  // They reject only when the wait is aborted.
  repeat(first, every, sweep, 'Old entries of the journal could not be deleted').catch(() => undefined);
  if (journal.isKept) {
    const stayOn = async () => {
      if (await keepOn(database)) log.warn(turnedOff);
    };
    repeat(second, second, stayOn, unknown).catch(() => undefined);
  } else {
    let isTold = false;
    const stayOff = async () => {
      if (!(await leaveOff(database)) || isTold) return;
      isTold = true;
      log.warn(keptByOthers);
    };
    repeat(second, second, stayOff, unknown).catch(() => undefined);
  }
  if (database.provider === 'sqlite' && journal.isKept) {
    let known = 0;
    const raise = async () => {
      const { last } = await journal.bounds();
      if (last < known) await database.perform(() => raisePositions());
      known = last;
    };
    repeat(0, second, raise, 'The positions of the journal could not be looked at').catch(() => undefined);
  }
  if (database.provider === 'postgresql') {
    const number = () => numberEntries(database);
    repeat(second, second, number, 'Entries of the journal could not be given positions').catch(() => undefined);
  }
  return () => end.abort();
}

const second = 1000;
const unknown = 'Whether the journal is on could not be found out';
const keptByOthers =
  'JOURNAL=false, but another process keeps the journal, or did until a moment ago. So this one writes into it too, until half a minute after the last one that keeps it has ended. Give all processes the same setting.';
const turnedOff =
  'Another process has turned the journal off (JOURNAL=false). It is on again, for all processes, because this one keeps it; readers are told that changes are missing. Give all processes the same setting.';
