import type { Transaction } from '@prisma/driver-adapter-utils';
import type { SqliteConnection } from './sqlite-connection.js';
import { GroupLostError, toAdapterError } from './sqlite-errors.js';
import { SqliteTransaction } from './sqlite-transaction.js';

/** One piece of work in the writer's queue: what shares, or does not share, a commit with its neighbours. */
export interface Unit {
  /** `performance.now()` of when it joined the queue. */
  readonly waitingSince: number;
  /** Runs between the group's BEGIN and COMMIT; resolves when the next unit may run. Never throws. */
  run(connection: SqliteConnection): Promise<void> | void;
  /** The error with which the unit made SQLite undo the whole group, where it did. */
  readonly fault: Error | undefined;
  /** The group is durable, or nothing but this unit's own failure is to be told: answers the caller. */
  settled(): void;
  /** The unit's work is undone or was never begun: tells the caller why. */
  failed(error: Error): void;
  /** The group is undone, which may be another member's doing. True when the unit can simply run once more. */
  lost(error: Error): boolean;
}

/** A statement outside any transaction. SQLite undoes a statement that fails, so it needs no savepoint. */
export class StatementUnit<Result> implements Unit {
  readonly waitingSince = performance.now();
  readonly answer: Promise<Result>;
  readonly #statement: (connection: SqliteConnection) => Result;
  readonly #settle: Settle<Result>;
  #outcome: { result: Result } | { error: Error } | undefined;

  constructor(statement: (connection: SqliteConnection) => Result) {
    this.#statement = statement;
    [this.answer, this.#settle] = deferred<Result>();
  }

  run(connection: SqliteConnection): void {
    try {
      this.#outcome = { result: this.#statement(connection) };
    } catch (error) {
      this.#outcome = { error: toAdapterError(error) };
    }
  }

  get fault(): Error | undefined {
    return this.#outcome && 'error' in this.#outcome ? this.#outcome.error : undefined;
  }

  settled(): void {
    if (!this.#outcome) return;
    if ('error' in this.#outcome) this.#settle.reject(this.#outcome.error);
    else this.#settle.resolve(this.#outcome.result);
  }

  failed(error: Error): void {
    this.#settle.reject(error);
  }

  lost(): boolean {
    return true;
  }
}

/** A caller's transaction, granted when its turn comes and held until the caller ends it. */
export class TransactionUnit implements Unit {
  readonly waitingSince = performance.now();
  readonly granted: Promise<Transaction>;
  fault: Error | undefined;
  readonly #grant: Settle<Transaction>;
  readonly #group: Promise<void>;
  readonly #groupEnds: Settle<void>;

  constructor() {
    [this.granted, this.#grant] = deferred<Transaction>();
    [this.#group, this.#groupEnds] = deferred<void>();
    // Nobody may be listening: the caller of a transaction that the database undid has had its answer.
    this.#group.catch(() => undefined);
  }

  async run(connection: SqliteConnection): Promise<void> {
    const [ended, end] = deferred<Error | undefined>();
    try {
      this.#grant.resolve(new SqliteTransaction(connection, this.#group, end.resolve));
      this.fault = await ended;
    } catch (error) {
      this.failed(toAdapterError(error));
    }
  }

  settled(): void {
    this.#groupEnds.resolve();
  }

  failed(error: Error): void {
    this.#grant.reject(error);
    this.#groupEnds.reject(error);
  }

  /** The statements came from the caller, so only the caller can run them again: `retry` does. */
  lost(error: Error): boolean {
    this.failed(new GroupLostError(error));
    return false;
  }
}

interface Settle<Result> {
  resolve(result: Result): void;
  reject(error: Error): void;
}

function deferred<Result>(): [Promise<Result>, Settle<Result>] {
  let settle: Settle<Result> | undefined;
  const promise = new Promise<Result>((resolve, reject) => {
    settle = { resolve, reject };
  });
  if (!settle) throw new Error('A promise runs its executor at once');
  return [promise, settle];
}
