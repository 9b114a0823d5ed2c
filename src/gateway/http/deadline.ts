import { type MaybePromise, recoverWith } from '../../common/maybe-promise.js';
import { altered, type Procedure, type Statement } from '../../common/work.js';
import { isOutcomeUnknown } from '../../database/database-problem.js';
import {
  type Caller,
  callers,
  type LimitStatement,
  type Read,
  SlowestStatement,
  withFurther,
} from '../../database/direct-access.js';
import type { Database, SeenDatabase, TransactionClient } from '../../database/open-database.js';
import { errors } from '../../model/errors/errors.js';
import { GatewayError } from '../../model/errors/gateway-error.js';

/** Milliseconds between two questions. A cached key is answered at once, and asking for it costs next to nothing. */
const askedEvery = 500;

/**
 * The time limit of one request. Once it has passed, the caller gets `timeout`, no new step begins and no transaction
 * commits. If a commit has begun, the request waits for its outcome and reports it. `keyId` is missing until it is found.
 */
export class Deadline implements Caller {
  constructor(readonly keyId: string | undefined) {}

  /** What its caller may see of records; set once the caller is known, before anything is read. */
  limit: LimitStatement | undefined;
  /** Created on first use, because an AbortController costs more than the rest of this class. */
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #asking: NodeJS.Timeout | undefined;
  #reject: (reason: Error) => void = () => {};
  /** Why nothing more may begin, once that is so. `#reason` is the same, once the caller was given it. */
  #end: Error | undefined;
  #reason: Error | undefined;
  /** The transactions whose commit has begun, is done, or has an unknown outcome; made for the first. */
  #committing: Set<object> | undefined;
  readonly statements = new SlowestStatement();
  /** Callbacks that stop work when the time has passed; created on first use. */
  #stops: Set<() => void> | undefined;

  /**
   * Starts the timer, in milliseconds. Called only for work that does not finish synchronously. `identify` asks for the key of the
   * request again and again, and the time is over with the refusal once the key does not count any more. While the database
   * does not answer, only the time of the request counts, and all questions wait for one look-up.
   */
  begin(time: number, identify?: () => MaybePromise<unknown>): void {
    this.#timer = setTimeout(() => this.pass(), time);
    if (!identify) return;
    const ask = () =>
      recoverWith(identify, (error) => {
        if (error instanceof GatewayError && error.code === 'UNAUTHENTICATED') this.pass(error);
      });
    this.#asking = setInterval(ask, askedEvery);
  }

  /** Aborted once the request has been answered with `timeout`. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      const controller = new AbortController();
      this.#controller = controller;
      this.whenOver(() => controller.abort(this.#reason));
    }
    return this.#controller.signal;
  }

  get isOver(): boolean {
    return this.#reason !== undefined;
  }

  whenOver(stop: () => void): () => void {
    if (this.#reason) stop();
    this.#stops ??= new Set();
    this.#stops.add(stop);
    return () => this.#stops?.delete(stop);
  }

  /** The result of `work`, or `timeout` if the time passes first. `work` then goes on, but its result is ignored. */
  resultInTime<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#reject = reject;
      work.then(resolve, reject);
    });
  }

  /** Stops the timer: the work is done. */
  lift(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#asking);
  }

  /** Runs a unit of work of which no step begins, and which does not commit, after the time is over. */
  perform<Result>(database: Pick<Database, 'perform'>, begin: () => Procedure<Result>): Promise<Result> {
    return this.#settled((commit) =>
      database.perform(() => {
        // Also for the repetition of one that has failed, before it waits for a connection.
        this.#begin(commit, false);
        return this.#workInTime(begin(), commit);
      }, this),
    );
  }

  /**
   * The same unit of work, where no statement begins after the time is over. A commit begins when a statement marked `isWhole`
   * is sent, which commits by itself, or else when the work is done; from then on its outcome is awaited. Until such a
   * statement is sent it may wait for a connection, so the time is checked once more.
   */
  *#workInTime<Result>(work: Procedure<Result>, commit: object): Procedure<Result> {
    // It may be the repetition of one that has failed.
    this.statements.settle();
    const beforeSend = () => this.#begin(commit, true);
    let end = () => {};
    const begin = (statement: Statement) => {
      this.#begin(commit, false);
      end = this.statements.begin(statement.sql);
      return statement.isWhole ? { ...statement, beforeSend } : statement;
    };
    const result = yield* altered(work, begin, () => end());
    if (!this.#committing?.has(commit)) this.#begin(commit, true);
    return result;
  }

  transaction<Result>(database: Database, work: (tx: TransactionClient) => Promise<Result>): Promise<Result> {
    const inTime = (commit: object) => {
      const begin = () => this.#begin(commit, false);
      return database.transaction(async (tx) => {
        begin();
        const result = await work(tx);
        this.#begin(commit, true);
        return result;
      }, begin);
    };
    return callers.run(this, () => this.#settled(inTime));
  }

  /** The outcome of what may commit. */
  async #settled<Result>(run: (commit: object) => Promise<Result>): Promise<Result> {
    const commit = {};
    try {
      return await run(commit);
    } catch (error) {
      this.#failed(commit, error);
      throw error;
    }
  }

  /**
   * If nothing was kept, and the time passed while a commit was possible, the caller gets its error now. If the outcome is
   * unknown, `timeout` would say too much: the caller gets `error` itself, however long the rest takes.
   */
  #failed(commit: object, error: unknown): void {
    this.statements.settle();
    if (isOutcomeUnknown(error)) return;
    this.#committing?.delete(commit);
    if (this.#end) this.pass(this.#end);
  }

  /** A step begins that may be the last: what was to be committed before it was not, unless `isCommit`. */
  #begin(commit: object, isCommit: boolean): void {
    if (!isCommit) this.#committing?.delete(commit);
    if (this.#end) throw this.#end;
    if (!isCommit) return;
    this.#committing ??= new Set();
    this.#committing.add(commit);
  }

  /** Called when the time is over, the client has gone away, or the key has ended. */
  pass(end: Error = errors.timeout()): void {
    this.#end = end;
    if (this.#committing?.size) return;
    this.#reason = end;
    this.#reject(this.#reason);
    for (const stop of this.#stops ?? []) stop();
  }
}

/**
 * The database for one request: reads stop with the request, and transactions commit only in time. Its members are created at
 * their first use, because a request uses one or two of them. Each can be called without its object, as those of
 * `Database` can.
 */
export class BoundDatabase implements SeenDatabase {
  constructor(
    private readonly database: Database,
    private readonly caller: Deadline,
  ) {}

  get provider(): Database['provider'] {
    return this.database.provider;
  }

  get limit(): LimitStatement | undefined {
    return this.caller.limit;
  }

  get client(): TransactionClient {
    const { limit } = this;
    // Prisma's adapter finds in `callers` what this request may see.
    if (limit && callers.getStore()?.limit !== limit) throw new Error('Prisma reads for this caller in its name only');
    return this.database.client;
  }

  get read(): Database['read'] {
    const { read } = this.database;
    return read && this.limited(read);
  }

  get readAll(): Database['read'] {
    const { read } = this.database;
    const { caller } = this;
    return read && ((sql, values, reach) => caller.statements.noted(sql, read(sql, values, reach, caller)));
  }

  /** The same read, of the primary or of a standby, in time and of what the caller may see. */
  limited(read: Read): Read {
    const caller = this.caller;
    const { limit, statements } = caller;
    if (!limit) return (sql, values, reach) => statements.noted(sql, read(sql, values, reach, caller));
    return (sql, values, reach) => {
      const seen = limit(sql, values.length);
      if (!seen) return statements.noted(sql, read(sql, values, reach, caller));
      return statements.noted(seen.sql, read(seen.sql, withFurther(values, seen), reach, caller));
    };
  }

  get standbys(): Database['standbys'] {
    const { standbys, read: primary } = this.database;
    return (
      standbys && {
        readerFor: (keyId, after, read) => this.limited(standbys.readerFor(keyId, after, primary ?? read)),
        written: (keyId) => standbys.written(keyId),
      }
    );
  }

  get perform(): Database['perform'] {
    return (begin) => this.caller.perform(this.database, begin);
  }

  get transaction(): Database['transaction'] {
    return (work) => this.caller.transaction(this.database, work);
  }
}

/** Milliseconds: the interval of the timer, and the delay from which one tick counts as late. */
export const tickTimes = { every: 100, late: 500 };
/** How many ticks in a row must be late: one long task is not an overload. */
export const lateTicks = 4;

/**
 * Detects overload: when more work arrives than the process can do, timers fire late again and again. Costs one timer,
 * which ends with the process.
 */
export function watchEventLoop({ every, late } = tickTimes): () => boolean {
  let lateInRow = 0;
  let due = performance.now() + every;
  const tick = () => {
    const now = performance.now();
    lateInRow = now - due > late ? lateInRow + 1 : 0;
    due = now + every;
  };
  setInterval(tick, every).unref();
  return () => lateInRow >= lateTicks;
}
