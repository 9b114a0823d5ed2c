import { DriverAdapterError, type SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import { oncePer, WeighedCache } from '../../common/kept.js';
import type { Rows, Value } from '../../common/work.js';
import { bytesOfRow } from '../answer-limit.js';
import { isReported, isWorthRepeating, retry } from '../database-problem.js';
import { type Caller, callers, type Read } from '../direct-access.js';
import { adapterLike, transactionLike } from '../prisma-adapter.js';
import { FairQueue } from '../queues.js';

/** A request may use one in this many connections for reads (at least one), and one for a transaction. */
export const poolPerRequest = 5;
/** The requests of a key may use one in this many connections for large results, and for statements not yet seen. */
export const poolPerLarge = 5;
const poolPerUnknown = 2;
/** One in this many connections is kept for pipelined reads. */
export const poolPerPipeline = 5;

/** Sends a read whose result will probably have `size` bytes; undefined if it has to take a connection of its own. */
export type PipelinedRead = (
  sql: string,
  values: readonly Value[],
  size: number,
  comment: string | undefined,
) => Promise<Rows> | undefined;

/** Connections that one key leaves to others, unless the pool is so small that the key needs them all. */
const leftToOthers = 1;
const small = 4;

/**
 * Lets the keys use the connections of a pool in turn, and so the requests of a key: it has `connections` in all, of which the
 * statements of requests may use `most`. Each request has a share, so that one with many
 * reads leaves connections to others; its further reads wait for its own. A transaction has its own share, because work
 * inside it may wait for a read outside it. Large results have a share of their own, so that many of them leave connections to
 * small ones. Who has waited for `longestTurn` milliseconds is refused with what `busy` makes.
 */
export function createPoolShare(
  { connections, most }: { connections: number; most: number },
  longestTurn: number,
  busy: () => Error,
) {
  const oneIn = (count: number) => Math.max(1, Math.floor(connections / count));
  const perCaller = oneIn(poolPerRequest);
  const perKey = most < small ? most : most - leftToOthers;
  const turns = new FairQueue({ atOnce: most, perKey, perCaller, waitMillis: longestTurn }, { busy, over: overError });
  const ofTransaction = oncePer((_caller: Caller) => ({}));
  const { inQueue, smallSize, noteResult } = createLargeResultQueue({
    large: oneIn(poolPerLarge),
    unknown: oneIn(poolPerUnknown),
    perCaller,
  });

  return {
    /** Runs what needs a connection when it is its caller's turn. */
    inTurn: <Result>(caller: Caller | undefined, run: () => Promise<Result>) => turns.take(caller, run),

    waiting: () => turns.waiting,

    /** Bounded reads with small results are pipelined; a request has only a few of them under way at a time. */
    read: (read: Read, pipelined?: PipelinedRead): Read => {
      return (sql, values, reach, caller, comment) => {
        const run = async () => read(sql, values, reach, caller, comment);
        const alone = () =>
          inQueue(
            sql,
            caller,
            () => turns.take(caller, run),
            (rows) => rows,
          );
        const size = reach === 'bounded' ? smallSize(sql) : undefined;
        const sent = size === undefined ? undefined : pipelined?.(sql, values, size, comment);
        if (sent) {
          return sent.then(
            (rows) => {
              noteResult(sql, rows);
              return rows;
            },
            // The connection was lost, perhaps by another read on it, or is silent, because a read before this one waits for
            // a lock, or another transaction was in the way: the read is sent again on a connection of its own.
            (error: unknown) => {
              if (!connectionFault(error) && !isWorthRepeating(error)) throw error;
              return alone();
            },
          );
        }
        return alone();
      };
    },

    /**
     * A statement that runs alone, outside of a transaction, is repeated when PostgreSQL has undone it because of another
     * transaction. A transaction is repeated as a whole, by the code that began it, and has its turn until it ends.
     */
    adapter: (adapter: SqlDriverAdapter): SqlDriverAdapter =>
      adapterLike(adapter, {
        queryRaw: (query) => {
          const caller = callers.getStore();
          const run = () => turns.take(caller, () => retry(() => adapter.queryRaw(query)));
          return inQueue(query.sql, caller, run, ({ rows }) => rows);
        },
        executeRaw: (query) => turns.take(callers.getStore(), () => retry(() => adapter.executeRaw(query))),
        startTransaction: async (level) => {
          const caller = callers.getStore();
          const end = await turns.turn(caller, caller && ofTransaction(caller));
          try {
            const transaction = await adapter.startTransaction(level);
            return transactionLike(transaction, {
              commit: () => transaction.commit().finally(end),
              rollback: () => transaction.rollback().finally(end),
            });
          } catch (error) {
            end();
            throw error;
          }
        },
      }),
  };
}

export type PoolShare = ReturnType<typeof createPoolShare>;

/**
 * Whether a statement with this code can only fail again on its connection: its prepared form no longer fits the tables, or is gone.
 */
export const isOutdated = (code: unknown): boolean => code === '0A000' || code === '26000';

/** The error with which the pool closes the connection of a statement; undefined if the connection can go on. */
export function connectionFault(error: unknown): Error | undefined {
  const fault = error instanceof Error ? error : new Error(String(error));
  const isFatal = 'severity' in fault && fault.severity === 'FATAL';
  const isUseless = 'code' in fault && isOutdated(fault.code);
  // Otherwise the connection is lost, or the answer to the statement may still come.
  return isReported(error) && !isFatal && !isUseless ? undefined : fault;
}

// Leaves connections to small reads while many large ones wait. A result of several megabytes occupies its connection
// for tens of milliseconds, and a read that waits for a connection waits for all that came before it.

/** Bytes from which a result is large. */
const large = 128 * 1024;
/** Bytes that each row counts in addition, because it takes time of its own: a thousand rows are large. */
const perRow = 128;
/** How much of the known size of a statement remains when its next result is smaller: not every result is alike. */
const kept = 0.75;
/** Characters of statements whose sizes are known, and the least that each counts. */
const mostCharacters = 1_000_000;
const leastCharacters = 250;

/** The longest queue of requests, and how long each may wait in milliseconds. The same as for readers of SQLite. */
const longest = { waiting: 1000, waitMillis: 10_000 };

/**
 * Makes the queues for reads by the size of the last results of the same statement: those that were large share few
 * connections, those without a result so far share some more, and all others run at once.
 */
export function createLargeResultQueue(most: { large: number; unknown: number; perCaller: number }, queue = longest) {
  const sizes = new WeighedCache<number>(mostCharacters, (sql) => Math.max(sql.length, leastCharacters));
  const turnsFor = (results: 'large' | 'unknown') =>
    new FairQueue(
      // One more may be under way for another key.
      { atOnce: most[results] + 1, perKey: most[results], perCaller: most.perCaller, ...queue },
      { busy: () => largeResultWaited(queue.waitMillis, results), over: overError },
    );
  const [largeTurns, unknownTurns] = [turnsFor('large'), turnsFor('unknown')];

  /** Runs the read in its turn. `rowsOf` gives the rows of its result. */
  async function inQueue<Result>(
    sql: string,
    caller: Caller | undefined,
    run: () => Promise<Result>,
    rowsOf: (result: Result) => Rows,
  ): Promise<Result> {
    const size = sizes.get(sql);
    const isSmall = size !== undefined && !isLarge(size);
    const end = isSmall ? undefined : await (size === undefined ? unknownTurns : largeTurns).turn(caller);
    // Its size became known while it waited, so it belongs to another queue.
    if (size === undefined && sizes.get(sql) !== undefined) {
      end?.();
      return inQueue(sql, caller, run, rowsOf);
    }
    try {
      const result = await run();
      note(sql, sizeOf(rowsOf(result)));
      return result;
    } finally {
      end?.();
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

function sizeOf(rows: Rows): number {
  let size = rows.length * perRow;
  for (const row of rows) size += bytesOfRow(row);
  return size;
}

/** The error of PostgreSQL for a cancelled statement. */
export const overError = (): DriverAdapterError =>
  postgresError('57014', 'The time of the request was over before the statement began');

/**
 * The error of PostgreSQL for missing resources: a read has waited too long for its turn among reads whose results are
 * large, or of a size that is not known yet.
 */
const largeResultWaited = (milliseconds: number, results: 'large' | 'unknown'): DriverAdapterError =>
  postgresError('53000', `The read has waited ${milliseconds / 1000} s for a connection for ${results} results`);

/** The error of PostgreSQL for too many connections: the request has waited too long for one. Nothing was sent. */
export const connectionWaited = (milliseconds: number): DriverAdapterError =>
  postgresError('53300', `The request has waited ${milliseconds / 1000} s for a connection`);

function postgresError(code: string, message: string): DriverAdapterError {
  return new DriverAdapterError({
    originalCode: code,
    originalMessage: message,
    kind: 'postgres',
    code,
    severity: 'ERROR',
    message,
    detail: undefined,
    column: undefined,
    hint: undefined,
  });
}
