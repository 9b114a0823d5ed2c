import type { Transaction } from '@prisma/driver-adapter-utils';
import { type MaybePromise, recoverWith, whenResolved } from '../../common/maybe-promise.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { GroupLostError, toAdapterError } from './sqlite-errors.js';
import { SqliteTransaction } from './sqlite-transaction.js';

/** One unit of work in the writer's queue: a statement or a transaction. Several units may share a commit. */
export interface WriteUnit {
  /** When it joined the queue, by `performance.now()`. */
  readonly waitingSince: number;
  /** Runs between the group's BEGIN and COMMIT; resolves when the next unit may run. Never throws. */
  run(connection: SqliteConnection): Promise<void> | void;
  /** The error of this unit that made SQLite roll back the whole group, if any. */
  readonly fault: Error | undefined;
  /** Answers the caller: the group is durable, or only this unit failed. */
  settled(): void;
  /** Rejects the caller's promise: the unit was rolled back or never run. */
  failed(error: Error): void;
  /**
   * Called when the group was rolled back, maybe because of another member. Returns whether the unit can simply run
   * again.
   */
  lost(error: Error): boolean;
}

/** Converts what was thrown into the error that the caller gets. */
export type ErrorOf = (error: unknown) => Error;

/**
 * A statement outside any transaction. It needs no savepoint, because SQLite rolls back a failing statement by itself.
 */
export class WriteStatement<Result> implements WriteUnit {
  readonly waitingSince = performance.now();
  readonly answer: Promise<Result>;
  readonly #statement: (connection: SqliteConnection) => MaybePromise<Result>;
  readonly #settle: Settle<Result>;
  #outcome: Outcome<Result> | undefined;

  constructor(
    statement: (connection: SqliteConnection) => MaybePromise<Result>,
    private readonly errorOf: ErrorOf = toAdapterError,
  ) {
    this.#statement = statement;
    [this.answer, this.#settle] = deferred<Result>();
  }

  run(connection: SqliteConnection): MaybePromise<void> {
    const outcome = recoverWith<Outcome<Result>>(
      () => whenResolved(this.#statement(connection), (result) => ({ result })),
      (error) => ({ error: this.errorOf(error) }),
    );
    return whenResolved(outcome, (known) => {
      this.#outcome = known;
    });
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

/** A caller's transaction: begins when its turn comes and lasts until the caller ends it. */
export class WriteTransaction implements WriteUnit {
  readonly waitingSince = performance.now();
  readonly granted: Promise<Transaction>;
  fault: Error | undefined;
  readonly #grant: Settle<Transaction>;
  readonly #group: Promise<void>;
  readonly #groupEnds: Settle<void>;

  constructor() {
    [this.granted, this.#grant] = deferred<Transaction>();
    [this.#group, this.#groupEnds] = deferred<void>();
    // Prevents an unhandled rejection: if the database rolled back the transaction, its caller already knows and no
    // longer waits.
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

  /** Only the caller can repeat its statements; `retry` does that. */
  lost(error: Error): boolean {
    this.failed(new GroupLostError(error));
    return false;
  }
}

type Outcome<Result> = { result: Result } | { error: Error };

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
