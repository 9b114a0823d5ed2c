import { AsyncLocalStorage } from 'node:async_hooks';
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import type { MaybePromise } from '../common/maybe-promise.js';
import type { Procedure, Rows } from '../common/work.js';
import type { Provider } from './migrations/migration-history.js';

/** Access to an open database: for Prisma, and without it plain reads, and units of work that write. */
export interface DirectAccess {
  readonly adapter: SqlDriverAdapter;
  /**
   * The rows with the database's own types, unconverted: synchronously for a bounded read on SQLite, otherwise as a
   * promise.
   */
  read: Read;
  perform: RunProcedure;
  /** Notifies other processes of commits; undefined where the database delivers no notifications. */
  signals?: CommitSignals | undefined;
  /** Undefined where there are none. */
  standbys?: StandbyReads | undefined;
  readings(): DatabaseReadings;
  /** Throws if the database is not where it was opened any more. Undefined where that cannot happen. */
  requirePlace?(): void;
  /** Waits for the work under way, and closes the adapter too. */
  close(): Promise<void>;
}

/** Reads that a hot standby may answer. All other reads go to the primary. */
export interface StandbyReads {
  /**
   * The read for a request of a key. It sees everything that the key has written through this gateway, everything up to
   * the position `after`, which `written` has returned to an earlier request, and everything older than ten seconds. If
   * no standby has replayed that much, `primary` reads.
   */
  readerFor(keyId: string, after: string | undefined, primary: Read): Read;
  /** The position of the primary now. Later reads of the key see everything that was committed up to it. */
  written(keyId: string): Promise<string>;
}

/** The readings for the metrics, since the start or at this moment. */
export interface DatabaseReadings {
  /** Work that waits for SQLite's only writer, or for a connection to PostgreSQL. */
  waiting: number;
  /** Connections to PostgreSQL that requests take in turn: those that are open, and those of them that are in use. */
  connections?: { open: number; used: number };
  /** Commits of SQLite's writer, and the units of work in them. */
  commits?: { groups: number; units: number };
}

/** Without `reach`, the statement counts as unbounded. `comment` is sent with it, on PostgreSQL only. */
export type Read = (
  sql: string,
  values: readonly (string | number)[],
  reach?: ReadBound,
  caller?: Caller,
  comment?: string,
) => Rows | Promise<Rows>;

/**
 * Makes of a statement one that reads only what a caller may see of records; `bound` is the number of its values. Undefined
 * for one that reads nothing of which the caller does not see all.
 */
export type LimitStatement = (sql: string, bound: number) => LimitedStatement | undefined;

export interface LimitedStatement {
  sql: string;
  values: readonly (string | number)[];
  /** Whether they come before the others, and not behind them: where the placeholders have no numbers. */
  areFirst: boolean;
}

/** The values of a limited statement, in the order of its placeholders. */
export const withFurther = <Value>(
  values: readonly Value[],
  { values: further, areFirst }: LimitedStatement,
): (Value | string | number)[] => (areFirst ? [...further, ...values] : [...values, ...further]);

/**
 * How many rows a statement examines: `bounded` where an index limits them to a number that does not grow with the
 * table, such as a record by its id or a page of a list; otherwise `unbounded`.
 */
export type ReadBound = 'bounded' | 'unbounded';

export type { Rows };

/**
 * Runs a unit of work in its own transaction, all or nothing, and resolves with its result once that is durable. An
 * error it throws rolls the transaction back. `begin` creates it, again for each repetition after a conflict. Where
 * connections are shared, it waits for one in the turn of its caller.
 */
export type RunProcedure = <Result>(begin: () => Procedure<Result>, caller?: Caller) => Promise<Result>;

/**
 * A request as the database sees it: it gets its share of the connections or readers, and its reads stop when its time
 * is over.
 */
export interface Caller {
  /** The API key of the request. Keys take turns, however many requests each of them has. */
  readonly keyId: string | undefined;
  /** Whether its time is over; then nothing more is begun for it. */
  readonly isOver: boolean;
  /** Limits what it reads of records; undefined for one that may read all. */
  readonly limit?: LimitStatement | undefined;
  /** Its statements are noted here, to find which took longest. */
  readonly statements?: SlowestStatement | undefined;
  /**
   * Calls `stop` when the request's time is over, or at once if it already is. The returned function unregisters
   * `stop`.
   */
  whenOver(stop: () => void): () => void;
}

/**
 * The request for which Prisma sends a statement: Prisma cannot pass it to its adapter. Used only around calls of
 * Prisma; direct reads get their caller as a parameter.
 */
export const callers = new AsyncLocalStorage<Caller>();

/**
 * Runs `run` in the name of a request, or of none. Work that waits for its turn is begun when the work of another
 * request ends, and would otherwise run in the name of that request.
 */
export const inNameOf = <Result>(caller: Caller | undefined, run: () => Result): Result =>
  caller ? callers.run(caller, run) : callers.exit(run);

/** How long a statement has taken, with its wait for a connection. */
interface TimedStatement {
  /** Without values: it has placeholders. */
  sql: string;
  milliseconds: number;
}

/** Finds the statement of a request that takes longest, for the log of slow operations. */
export class SlowestStatement {
  #ended: TimedStatement | undefined;
  /** Made for the first statement: many requests have none. */
  #begun: Set<{ sql: string; since: number }> | undefined;

  /** Notes a statement that begins now. The returned function is called when it has ended. */
  begin(sql: string): () => void {
    const statement = { sql, since: performance.now() };
    this.#begun ??= new Set();
    this.#begun.add(statement);
    return () => {
      this.#begun?.delete(statement);
      this.#ended = slower(this.#ended, statement);
    };
  }

  /** A read that has just begun; one that is answered at once is never slow. */
  noted<Rows>(sql: string, rows: MaybePromise<Rows>): MaybePromise<Rows> {
    if (rows instanceof Promise) {
      const end = this.begin(sql);
      rows.then(end, end);
    }
    return rows;
  }

  /** Notes what has begun as if it had ended: a unit of work that fails does not tell. Whatever runs on is noted again. */
  settle(): void {
    this.#ended = this.found;
    this.#begun?.clear();
  }

  /** The slowest so far, which may still run; undefined if there was none. */
  get found(): TimedStatement | undefined {
    return [...(this.#begun ?? [])].reduce(slower, this.#ended);
  }
}

function slower(
  known: TimedStatement | undefined,
  { sql, since }: { sql: string; since: number },
): TimedStatement | undefined {
  const milliseconds = performance.now() - since;
  return known && known.milliseconds >= milliseconds ? known : { sql, milliseconds };
}

const mostOfPlan = { lines: 40, characters: 4_000 };

/** How many values a statement takes: `?1` names one, and each `?` is one of its own. */
function placeholdersOf(statement: string): number {
  let own = 0;
  let highest = 0;
  for (const [, place] of statement.matchAll(/\?(\d*)/g)) {
    if (place) highest = Math.max(highest, Number(place));
    else own++;
  }
  return Math.max(own, highest);
}

/**
 * The lines of the plan of a statement, which is not executed. They contain no values: on PostgreSQL none are bound, and
 * SQLite shows none. Undefined if the database shows no plan: SQLite for a plain INSERT, an engine like PostgreSQL without
 * generic plans. Preparing a large statement takes time, so it runs where long reads run.
 */
export async function queryPlan(
  { provider, read }: { provider: Provider; read?: Read | undefined },
  statement: string,
  keyId: string,
): Promise<readonly string[] | undefined> {
  // Only the first of several statements would be explained, and the others executed.
  if (statement.includes(';')) return undefined;
  const [explain, column, count] =
    provider === 'sqlite'
      ? ['EXPLAIN QUERY PLAN', 3, placeholdersOf(statement)]
      : ['EXPLAIN (GENERIC_PLAN, COSTS OFF)', 0, 0];
  // The statement waits for the same locks as the operation of the key, and in the turns of that key.
  const caller = { keyId, isOver: false, whenOver: () => () => undefined };
  try {
    const found = (await read?.(`${explain} ${statement}`, Array<number>(count).fill(0), 'unbounded', caller)) ?? [];
    if (found.length === 0) return undefined;
    return found
      .slice(0, mostOfPlan.lines)
      .map((row) => String(row[column]).slice(0, mostOfPlan.characters / mostOfPlan.lines));
  } catch {
    return undefined;
  }
}

/**
 * Other processes on the same SQLite file that this one can talk to. Without them the file itself still lets only one
 * process write at a time, but each has to poll for its turn and for the commits of others.
 */
export interface Peers {
  turns: WriteTurns;
  signals: CommitSignals;
  files: FilePeers;
}

/** What processes that share the file tell each other of it. It holds for one that is started later, too. */
export interface FilePeers {
  /** Whether one has seen that it was overwritten: another would take what it finds for the right file. */
  isOverwritten(): boolean;
  tellOverwritten(): void;
  /** Tells which files this process has open. */
  tellOpened(files: string): void;
}

/** Which of several processes writes next. This is for speed and fairness only: the lock of the file protects it. */
export interface WriteTurns {
  /** Resolves when it is the turn of this process, or when it has waited so long that it may try without one. */
  take(): Promise<void> | undefined;
  /** To be called after each commit: lets another process write that waits for it. */
  end(): void;
}

/** Signals by which processes on one database notify each other of commits, where the database can deliver them. */
export interface CommitSignals {
  /** Notifies the other processes that listen, if there are any: soon, and once for many commits. */
  send(): void;
  /** Calls `onSignal` when another process has committed. */
  listen(onSignal: () => void): Listening;
}

export interface Listening {
  /** Whether signals arrive at present; otherwise the process has to poll for commits. */
  readonly isHearing: boolean;
  stop(): void;
}
