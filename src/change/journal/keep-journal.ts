/** What a process does for the journal as long as it runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../database/open-database.js';
import type { Journal } from './journal.js';
import { numberEntries } from './number-entries.js';
import { keepOn, leaveOff, raisePositions } from './open-journal.js';
import { raiseSequences } from './raise-sequences.js';
import { sweepJournal } from './sweep-journal.js';

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
  const repeat = async (wait: number, interval: number, work: () => Promise<unknown>, problem: string) => {
    for (let pause = wait; ; pause = interval) {
      await sleep(pause, undefined, { ref: false, signal });
      await work().catch((err: unknown) => void (signal.aborted || log.warn({ err }, problem)));
    }
  };
  // All of them reject only when the wait is aborted.
  if (days !== undefined) {
    const sweep = () => sweepJournal(database, journal, days, { signal });
    repeat(first, every, sweep, 'Old entries of the journal could not be deleted').catch(() => undefined);
  }
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
    repeat(0, second, raise, 'The positions of the journal could not be checked').catch(() => undefined);
  }
  if (database.provider === 'postgresql') {
    const number = () => numberEntries(database);
    repeat(second, second, number, 'Entries of the journal could not be given positions').catch(() => undefined);
    const raise = () => raiseSequences(database);
    repeat(second, 5 * second, raise, 'The sequences could not be checked').catch(() => undefined);
  }
  return () => end.abort();
}

const second = 1000;
const unknown = 'It could not be determined whether the journal is on';
const keptByOthers =
  'JOURNAL=false, but another process keeps the journal, or did until a moment ago. So this one writes into it too, until half a minute after the last one that keeps it has ended. Give all processes the same setting.';
const turnedOff =
  'Another process has turned the journal off (JOURNAL=false). It is on again, for all processes, because this one keeps it; readers are told that changes are missing. Give all processes the same setting.';
