import { type Caller, callers } from '../database/caller.js';
import type { Batch, Rows, Write } from '../database/direct.js';
import type { Database, TransactionClient } from '../database/open.js';
import { errors } from '../errors.js';

/**
 * The end of a request's time. When it comes, whoever waits is told `timeout`, no further step begins and no transaction
 * commits; but once something is being committed, or has been, its outcome is waited for and told, never guessed.
 */
export class Deadline implements Caller {
  /** Made for those who ask: it costs more than all the rest. */
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #tell: (reason: Error) => void = () => {};
  #hasPassed = false;
  /** What whoever waited was told. */
  #told: Error | undefined;
  /** Transactions that are being committed, and those that were. */
  readonly #committing = new Set<object>();
  /** What ends with the request's time, made for those who ask. */
  #stops: Set<() => void> | undefined;

  /** Passes after so many milliseconds. Begun only for what is not done at once. */
  begin(time: number): void {
    this.#timer = setTimeout(() => this.pass(), time);
  }

  /** Aborted when the request has been answered for lack of time. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#told) this.#controller.abort(this.#told);
    return this.#controller.signal;
  }

  whenOver(stop: () => void): () => void {
    if (this.#told) stop();
    this.#stops ??= new Set();
    this.#stops.add(stop);
    return () => this.#stops?.delete(stop);
  }

  /** The result of `work`, unless the time is over first. What `work` then still does is nobody's concern. */
  within<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#tell = reject;
      work.then(resolve, reject);
    });
  }

  /** The work is done: the time no longer matters. */
  lift(): void {
    clearTimeout(this.#timer);
  }

  /** The same database, whose transactions commit only in time, and whose reads are this request's. */
  bound(database: Database): Database {
    // Not spread: to replace what was spread takes longer than a read of the database.
    const { provider, client, read, write, ping, close } = database;
    return {
      provider,
      client,
      read: read && ((sql, values, reach) => read(sql, values, reach, this)),
      write: write && ((batch, begin) => this.#writeInTime(write, batch, begin)),
      ping,
      close,
      transaction: (work) => callers.run(this, () => this.#inTime(database, work)),
    };
  }

  /** A batch commits as soon as it has run: once it has begun, its outcome is waited for. Without rows nothing has been done. */
  async #writeInTime(write: Write, batch: Batch, begin: () => boolean): Promise<Rows | undefined> {
    const commit = {};
    const beginInTime = () => {
      this.#committing.delete(commit);
      if (this.#hasPassed || !begin()) return false;
      this.#committing.add(commit);
      return true;
    };
    try {
      const rows = await write(batch, beginInTime);
      if (!rows?.length) {
        this.#committing.delete(commit);
        this.#check();
      }
      return rows;
    } catch (error) {
      this.#committing.delete(commit);
      throw error;
    }
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
      this.#committing.delete(commit);
      throw error;
    }
  }

  #check(): void {
    if (this.#hasPassed) throw errors.timeout();
  }

  /** The time is over, or nobody waits any more. */
  pass(): void {
    this.#hasPassed = true;
    if (this.#committing.size > 0) return;
    this.#told = errors.timeout();
    this.#controller?.abort(this.#told);
    this.#tell(this.#told);
    for (const stop of this.#stops ?? []) stop();
  }
}
