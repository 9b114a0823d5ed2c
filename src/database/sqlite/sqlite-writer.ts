import { setImmediate as turn } from 'node:timers/promises';
import type { Transaction } from '@prisma/driver-adapter-utils';
import type { MaybePromise } from '../../common/maybe-promise.js';
import type { DatabaseReadings, WriteTurns } from '../direct-access.js';
import type { Closed, Placed } from './placed-files.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { busyError, closedError, isBusy, isDamage, pause, retryWhileBusy, toAdapterError } from './sqlite-errors.js';
import { type ErrorOf, WriteStatement, WriteTransaction, type WriteUnit } from './sqlite-write-unit.js';

/** Kept, because a connection that is collected as garbage is closed. */
const leftOpen: SqliteConnection[] = [];

/** Milliseconds to wait for other processes that end. */
const lastPatience = 1_000;

/**
 * Whether no other process has the file open, and none can open it until this connection is closed. Of several that end, each
 * holds the lock for writes except while it looks, and who finds it taken is not the last one: so only one of them goes on looking.
 */
async function isLastToEnd(connection: SqliteConnection): Promise<boolean> {
  const until = performance.now() + lastPatience;
  try {
    for (let tries = 0; performance.now() < until; tries++) {
      connection.control('BEGIN IMMEDIATE');
      await pause(tries);
      connection.control('ROLLBACK');
      connection.script('PRAGMA locking_mode = EXCLUSIVE');
      try {
        connection.script('BEGIN IMMEDIATE; ROLLBACK');
        return true;
      } catch {
        connection.script('PRAGMA locking_mode = NORMAL');
      }
    }
  } catch {
    // Another one has the lock, or the file cannot be read.
  }
  return false;
}

/** Copies all of the log into the file. Returns whether that is done, which a reader or a full disk can prevent. */
function isSaved(connection: SqliteConnection): boolean {
  try {
    const [[isBusy] = []] = connection.rows('PRAGMA wal_checkpoint(TRUNCATE)', []);
    return Number(isBusy) === 0;
  } catch {
    return false;
  }
}

/**
 * All writes go through this queue, first come, first served, on one connection. Units that wait at the same time share
 * one durable commit (group commit), because a sync costs the same for one as for fifty. Each is answered only after
 * the commit, and one that fails does not affect the others.
 */
export class SqliteWriter {
  readonly #queue: WriteQueue;
  #draining: Promise<void> | undefined;
  #closed = false;
  /**
   * How many of the next groups hold a single unit: after a lost group, each runs alone so that only the failing one
   * fails.
   */
  #aloneFor = 0;

  /**
   * `before` a commit ends what reads share, so that later ones see it, or throws if nobody would find it again. `after` throws if
   * nobody will.
   */
  constructor(
    private readonly connection: SqliteConnection,
    private readonly limits: WriterLimits = writerLimits,
    private readonly commit: { before?(): void; after?(): void } = {},
    private readonly turns?: WriteTurns,
  ) {
    this.#queue = new WriteQueue(limits);
  }

  /**
   * Resolves with the result of `run` once it is durable. `run` may be called more than once; no other unit runs before
   * it is done.
   */
  statement<Result>(run: (connection: SqliteConnection) => MaybePromise<Result>, errorOf?: ErrorOf): Promise<Result> {
    const unit = new WriteStatement(run, errorOf);
    this.#join(unit);
    return unit.answer;
  }

  /** Begins a transaction when its turn comes. No other unit runs until it is committed or rolled back. */
  transaction(): Promise<Transaction> {
    const unit = new WriteTransaction();
    this.#join(unit);
    return unit.granted;
  }

  readonly readings = () => this.#queue.readings();

  /**
   * Waits for queued work and for `others`, then closes the connection, or leaves it open if not everything is in the file: the
   * process ends without closing it, and the log stays as it is. Later calls are refused with P1017. Returns what is in the file.
   */
  async close(others?: Promise<void>, placed: () => Placed = () => 'whole'): Promise<Closed> {
    this.#closed = true;
    await this.#draining;
    await others;
    const found = placed();
    const isLast = found !== 'divided' || (await isLastToEnd(this.connection));
    if (found === 'lost' || (found === 'divided' && !isSaved(this.connection))) {
      leftOpen.push(this.connection);
      return 'unsaved';
    }
    this.connection.close();
    return isLast ? 'saved' : 'shared';
  }

  #join(unit: WriteUnit): void {
    if (this.#closed) unit.failed(closedError());
    else if (this.#queue.add(unit)) this.#draining ??= this.#drain();
  }

  async #drain(): Promise<void> {
    await this.#queue.gather();
    while (this.#queue.length > 0) {
      await this.turns?.take();
      if (await this.#begin()) await this.#commit(await this.#runGroup());
      this.turns?.end();
      await this.#queue.gather();
    }
    this.#draining = undefined;
  }

  /** Takes the file's write lock. Returns false if all waiting units have timed out or the database refused. */
  async #begin(): Promise<boolean> {
    for (let tries = 0; this.#queue.length > 0; tries++) {
      try {
        if (this.connection.inTransaction) this.connection.control('ROLLBACK');
        this.connection.control('BEGIN IMMEDIATE');
        return true;
      } catch (error) {
        if (!isBusy(error)) {
          this.#queue.next()?.failed(toAdapterError(error));
          return false;
        }
      }
      await pause(tries);
    }
    return false;
  }

  async #runGroup(): Promise<WriteUnit[]> {
    const group: WriteUnit[] = [];
    const most = this.#aloneFor > 0 ? 1 : this.limits.groupUnits;
    const closesAt = performance.now() + this.limits.groupMillis;
    do {
      const unit = this.#queue.next();
      if (!unit) break;
      group.push(unit);
      await unit.run(this.connection);
      if (unit.fault && isDamage(unit.fault)) this.#undo();
    } while (this.connection.inTransaction && group.length < most && performance.now() < closesAt);
    if (this.#aloneFor > 0) this.#aloneFor--;
    return group;
  }

  async #commit(group: WriteUnit[]): Promise<void> {
    if (!this.connection.inTransaction) {
      // The last unit made SQLite roll back everything (disk full, I/O error, a damaged page), and reports its own error.
      const culprit = group.pop();
      culprit?.settled();
      this.#lose(group, culprit?.fault ?? closedError());
      return;
    }
    try {
      await retryWhileBusy(() => {
        this.commit.before?.();
        this.connection.control('COMMIT');
        this.commit.after?.();
      }, this.limits.waitMillis);
    } catch (error) {
      this.#undo();
      const [only] = group;
      if (only && group.length === 1) only.failed(toAdapterError(error));
      else this.#lose(group, toAdapterError(error));
      return;
    }
    this.#queue.committed(group);
  }

  /** If this fails too, the next BEGIN tries again and reports the error. */
  #undo(): void {
    try {
      if (this.connection.inTransaction) this.connection.control('ROLLBACK');
    } catch {}
  }

  /** Handles a lost group: its statements run again one by one; the callers of its transactions repeat them. */
  #lose(group: WriteUnit[], error: Error): void {
    this.#aloneFor = Math.max(this.#aloneFor, group.length);
    this.#queue.putBack(group.filter((unit) => unit.lost(error)));
  }
}

/** A first-in, first-out queue with a limited length and waiting time; a unit that waits longer fails with P1008. */
class WriteQueue {
  readonly #units: WriteUnit[] = [];
  readonly #commits = { groups: 0, units: 0 };
  #expiry: NodeJS.Timeout | undefined;

  constructor(private readonly limits: WriterLimits) {}

  get length(): number {
    return this.#units.length;
  }

  /** Adds a unit. If the queue is full, the unit fails as busy and the result is false. */
  add(unit: WriteUnit): boolean {
    if (this.#units.length >= this.limits.waiting) {
      unit.failed(busyError(0));
      return false;
    }
    this.#units.push(unit);
    this.#expiry ??= this.#expireAfter(this.limits.waitMillis);
    return true;
  }

  /**
   * Waits for a turn of the event loop, and for further ones while each brings more units: clients that one commit has
   * answered send their next writes together, but not in one turn.
   */
  async gather(): Promise<void> {
    const { groupUnits, gatherMillis } = this.limits;
    const endsAt = performance.now() + gatherMillis;
    let before: number;
    do {
      before = this.length;
      await turn();
    } while (this.length > before && this.length < groupUnits && performance.now() < endsAt);
  }

  next(): WriteUnit | undefined {
    return this.#units.shift();
  }

  /** Answers the units of a group whose commit is durable. */
  committed(group: readonly WriteUnit[]): void {
    this.#commits.groups++;
    this.#commits.units += group.length;
    for (const unit of group) unit.settled();
  }

  readings(): DatabaseReadings {
    return { waiting: this.length, commits: { ...this.#commits } };
  }

  /** Puts units of a lost group back to the front. */
  putBack(units: WriteUnit[]): void {
    this.#units.unshift(...units);
  }

  /** Fails units that have waited too long, and sets the timer for the next. */
  #expire(): void {
    const now = performance.now();
    const waitOf = (unit: WriteUnit) => now - unit.waitingSince;
    while (this.#units[0] && waitOf(this.#units[0]) >= this.limits.waitMillis) {
      const unit = this.#units.shift();
      unit?.failed(busyError(waitOf(unit)));
    }
    const [first] = this.#units;
    this.#expiry = first && this.#expireAfter(this.limits.waitMillis - waitOf(first));
  }

  #expireAfter(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#expire(), Math.max(1, milliseconds)).unref();
  }
}

export const writerLimits = {
  /** The longest wait in the queue, in milliseconds; then a unit is refused with P1008. */
  waitMillis: 10_000,
  /** The most units in the queue; further ones are refused at once. */
  waiting: 10_000,
  /** The most units that share one commit. */
  groupUnits: 64,
  /** Milliseconds for which a group may wait for more units before it begins, as long as they keep arriving. */
  gatherMillis: 5,
  /** Milliseconds after which no unit joins an open group. */
  groupMillis: 10,
};

export type WriterLimits = typeof writerLimits;
