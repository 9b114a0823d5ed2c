/** Entries for streams that begin before the oldest entry in memory. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Journal } from '../../change/journal/journal.js';
import { createSerialQueue } from '../../database/queues/serial-queue.js';
import { type Entries, type Entry, lastCommitIn, streamEntryOf } from './entry.js';

const inTurn = createSerialQueue();

/**
 * The same, one read at a time, each in a turn of the event loop of its own: SQLite reads while nothing else happens, and
 * streams that begin long ago may read a whole journal, so that requests would wait for all of them.
 */
export const pastEntriesInTurn: typeof pastEntries = (...request) =>
  inTurn(
    async () => {
      await turn();
      return pastEntries(...request);
    },
    { last: true },
  );

export interface PastEntriesRequest {
  /** About how many entries are read at once. */
  most: number;
  /** The record types that matter, with their lines; undefined for all. */
  models?: readonly string[] | undefined;
}

/**
 * The next entries behind a position, with whole transactions. `isTooOld` if some of it is no longer kept. If none of
 * them matters, the database skips those that follow, up to the next one that does, without reading them.
 */
export async function pastEntries(
  journal: Pick<Journal, 'readPage' | 'continuationOf' | 'skippable'>,
  position: number,
  { most, models }: PastEntriesRequest,
): Promise<Entries & { isTooOld: boolean }> {
  const entries: Entry[] = [];
  let end = position;
  for (;;) {
    const { entries: read, isAll, isHeld } = await journal.readPage(end, most);
    if (!isHeld || read.length === 0) {
      const { isHeld: isStillHeld, last } = await journal.continuationOf(end);
      if (!isHeld || !isStillHeld) return { entries: [], end: last, isTooOld: true };
    }
    entries.push(...read.map(streamEntryOf));
    end = entries.at(-1)?.position ?? end;
    const whole = isAll ? entries.length : lastCommitIn(entries);
    if (whole === 0 && !isAll) continue;
    const found = { entries: entries.slice(0, whole), end: entries[whole - 1]?.position ?? end, isTooOld: false };
    if (isAll || !models || found.entries.some((entry) => isOf(entry, models))) return found;
    return { ...found, end: (await journal.skippable(found.end, models)) ?? found.end };
  }
}

const isOf = ({ resource, document }: Entry, models: readonly string[]): boolean =>
  models.includes(resource.model) || (document.resource !== undefined && models.includes(document.resource.model));
