/**
 * Leaves connections to small reads while many large ones wait. A result of several megabytes occupies its connection
 * for tens of milliseconds, and a read that waits for a connection waits for all that came before it.
 */
import { WeighedCache } from '../../../common/weighed-cache.js';
import type { Rows } from '../../../common/work.js';
import type { Caller } from '../../direct-access.js';
import { FairQueue } from '../../queues/fair-queue.js';
import type { TurnLimits } from '../../queues/turn-limits.js';
import { largeResultWaited, overError } from '../over-error.js';

/** Bytes from which a result is large. */
const large = 128 * 1024;
/** Bytes that each row counts in addition, because it takes time of its own: a thousand rows are large. */
const perRow = 128;
/** How much of the known size of a statement remains when its next result is smaller: not every result is alike. */
const kept = 0.75;
/** Characters of statements whose sizes are known, and the least that each counts. */
const mostCharacters = 1_000_000;
const leastCharacters = 250;

/** The most connections of a key for results that are large, and for statements without a result so far. */
export interface LargeResultShares {
  large: number;
  unknown: number;
}

/** The longest queue of requests, and how long each may wait in milliseconds. The same as for readers of SQLite. */
const longest: LongestQueue = { waiting: 1000, waitMillis: 10_000 };

type LongestQueue = Pick<TurnLimits, 'waiting' | 'waitMillis'>;

/**
 * Makes the queues for reads by the size of the last results of the same statement: those that were large share few
 * connections, those without a result so far share some more, and all others run at once.
 */
export function createLargeResultQueue(
  { large: forLarge, unknown: forUnknown }: LargeResultShares,
  queue: LongestQueue = longest,
) {
  const sizes = new WeighedCache<number>(mostCharacters, (sql) => Math.max(sql.length, leastCharacters));
  const largeTurns = turnsFor('large', forLarge, queue);
  const unknownTurns = turnsFor('unknown', forUnknown, queue);

  /** Runs the read in its turn. `rowsOf` gives the rows of its result. */
  function inQueue<Result>(
    sql: string,
    caller: Caller | undefined,
    run: () => Promise<Result>,
    rowsOf: (result: Result) => Rows,
  ): Promise<Result> {
    const measured = async () => {
      const result = await run();
      note(sql, sizeOf(rowsOf(result)));
      return result;
    };
    const size = sizes.get(sql);
    if (size === undefined) return whenUnknown();
    return isLarge(size) ? largeTurns.take(caller, () => ({ done: measured() })) : measured();

    async function whenUnknown(): Promise<Result> {
      const first = await unknownTurns.take(caller, () => ({ done: unlessKnown() }));
      return first ? first.result : inQueue(sql, caller, run, rowsOf);
    }

    /** Undefined if its size became known while it waited, because it then belongs to another queue. */
    async function unlessKnown(): Promise<{ result: Result } | undefined> {
      return sizes.get(sql) === undefined ? { result: await measured() } : undefined;
    }
  }
  return {
    inQueue,

    /** The bytes of the last results of a statement, if they were small. */
    smallSize: (sql: string): number | undefined => {
      const size = sizes.get(sql);
      return isLarge(size) ? undefined : size;
    },

    /** Notes a result of a statement that ran outside the queues. */
    noteResult: (sql: string, rows: Rows): void => note(sql, sizeOf(rows)),
  };

  function note(sql: string, size: number): void {
    const before = sizes.get(sql);
    // Small results are all alike, so that a frequent statement is noted once.
    if (before === undefined || isLarge(before) || isLarge(size)) sizes.set(sql, Math.max(size, (before ?? 0) * kept));
  }
}

const isLarge = (size: number | undefined): boolean => size !== undefined && size >= large;

/** `most` is how many a key may have under way; one more may be that of another key. */
const turnsFor = (results: 'large' | 'unknown', most: number, queue: LongestQueue) =>
  new FairQueue(
    { atOnce: most + 1, perKey: most, perCaller: most, ...queue },
    { busy: () => largeResultWaited(queue.waitMillis, results), over: overError },
  );

/** The approximate bytes of a result. */
function sizeOf(rows: Rows): number {
  let size = rows.length * perRow;
  for (const row of rows) for (const value of row) size += typeof value === 'string' ? value.length : 8;
  return size;
}
