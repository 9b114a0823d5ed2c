import type { Procedure } from '../../common/work.js';
import { isOutcomeUnknown } from '../../database/commit-outcome.js';
import { type Caller, callers, SlowestStatement, timed } from '../../database/direct-access.js';
import type { Database, TransactionClient } from '../../database/open-database.js';
import { errors } from '../../model/errors/errors.js';

/**
 * The time limit of one request. Once it has passed, the caller gets `timeout`, no new step begins and no transaction
 * commits. If a commit has begun, the request waits for its outcome and reports it. `keyId` is missing until it is found.
 */
export class Deadline implements Caller {
  constructor(readonly keyId: string | undefined) {}

  /** Created on first use, because an AbortController costs more than the rest of this class. */
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reject: (reason: Error) => void = () => {};
  /** Why nothing more may begin, once that is so. `#reason` is the same, once the caller was given it. */
  #end: Error | undefined;
  #reason: Error | undefined;
  readonly #committing = new BegunCommits();
  readonly statements = new SlowestStatement();
  /** Callbacks that stop work when the time has passed; created on first use. */
  #stops: Set<() => void> | undefined;

  /** Starts the timer, in milliseconds. Called only for work that does not finish synchronously. */
  begin(time: number): void {
    this.#timer = setTimeout(() => this.pass(), time);
  }

  /** Aborted once the request has been answered with `timeout`. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason) this.#controller.abort(this.#reason);
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
  }

  /** The same database, where transactions commit only in time and reads stop when the request ends. */
  bound(database: Database): Database {
    return new BoundDatabase(database, this);
  }

  /** Runs a unit of work of which no step begins, and which does not commit, after the time is over. */
  async perform<Result>(database: Database, begin: () => Procedure<Result>): Promise<Result> {
    const commit = {};
    try {
      return await database.perform(() => this.#workInTime(timed(begin(), this.statements), commit), this);
    } catch (error) {
      this.#failed(commit, error);
      throw error;
    }
  }

  /**
   * The same unit of work, where no statement begins after the time is over. A commit begins when a statement marked `isWhole`
   * is sent, which commits by itself, or else when the work is done; from then on its outcome is awaited. Until such a
   * statement is sent it may wait for a connection, so the time is checked once more.
   */
  *#workInTime<Result>(work: Procedure<Result>, commit: object): Procedure<Result> {
    this.#committing.delete(commit);
    this.#check();
    const beforeSend = () => {
      this.#check();
      this.#committing.add(commit);
    };
    let step = work.next();
    while (!step.done) {
      step = work.next(yield step.value.isWhole ? { ...step.value, beforeSend } : step.value);
      if (step.done) break;
      this.#committing.delete(commit);
      this.#check();
    }
    if (!this.#committing.has(commit)) this.#check();
    this.#committing.add(commit);
    return step.value;
  }

  transaction<Result>(database: Database, work: (tx: TransactionClient) => Promise<Result>): Promise<Result> {
    return callers.run(this, () => this.#inTime(database, work));
  }

  async #inTime<Result>(database: Database, work: (tx: TransactionClient) => Promise<Result>): Promise<Result> {
    const commit = {};
    try {
      return await database.transaction(async (tx) => {
        this.#committing.delete(commit);
        this.#check();
        const result = await work(tx);
        this.#check();
        this.#committing.add(commit);
        return result;
      });
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
    this.#committing.delete(commit);
    if (this.#end) this.pass(this.#end);
  }

  #check(): void {
    if (this.#end) throw this.#end;
  }

  /** Called when the time is over, the client has gone away, or the key has ended. */
  pass(end: Error = errors.timeout()): void {
    this.#end = end;
    if (!this.#committing.isEmpty) return;
    this.#reason = end;
    this.#controller?.abort(this.#reason);
    this.#reject(this.#reason);
    for (const stop of this.#stops ?? []) stop();
  }
}

/** The transactions of a request whose commit has begun, is done, or has an unknown outcome, each as an object of its own. */
class BegunCommits {
  /** Made for the first. */
  #all: Set<object> | undefined;

  get isEmpty(): boolean {
    return this.#all === undefined || this.#all.size === 0;
  }

  add(transaction: object): void {
    this.#all ??= new Set();
    this.#all.add(transaction);
  }

  delete(transaction: object): void {
    this.#all?.delete(transaction);
  }

  has(transaction: object): boolean {
    return this.#all?.has(transaction) ?? false;
  }
}

/** Runs work within the time of a request, and notes its statements. */
interface TimedWork {
  readonly statements: SlowestStatement;
  perform<Result>(database: Database, begin: () => Procedure<Result>): Promise<Result>;
  transaction<Result>(database: Database, work: (tx: TransactionClient) => Promise<Result>): Promise<Result>;
}

/**
 * The database for one request: reads stop with the request, and writes keep its time limit. Its members are created at
 * their first use, because a request uses one or two of them. Each can be called without its object, as those of
 * `Database` can.
 */
class BoundDatabase implements Database {
  readonly #database: Database;
  readonly #caller: Caller & TimedWork;

  constructor(database: Database, caller: Caller & TimedWork) {
    this.#database = database;
    this.#caller = caller;
  }

  get provider(): Database['provider'] {
    return this.#database.provider;
  }

  get client(): TransactionClient {
    return this.#database.client;
  }

  get read(): Database['read'] {
    const { read } = this.#database;
    const caller = this.#caller;
    return read && ((sql, values, reach) => caller.statements.noted(sql, read(sql, values, reach, caller)));
  }

  get standbys(): Database['standbys'] {
    return this.#database.standbys;
  }

  get onCommit(): Database['onCommit'] {
    return this.#database.onCommit;
  }

  get readings(): Database['readings'] {
    return this.#database.readings;
  }

  get ping(): Database['ping'] {
    return this.#database.ping;
  }

  get close(): Database['close'] {
    return this.#database.close;
  }

  get perform(): Database['perform'] {
    return (begin) => this.#caller.perform(this.#database, begin);
  }

  get transaction(): Database['transaction'] {
    return (work) => this.#caller.transaction(this.#database, work);
  }
}
