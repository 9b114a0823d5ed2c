import { DriverAdapterError, type SqlQuery, type SqlResultSet, type Transaction } from '@prisma/driver-adapter-utils';
import { type MaybePromise, recoverWith, whenResolved } from '../../common/maybe-promise.js';
import { GroupLostError } from '../database-problem.js';
import { Turns } from '../turns.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { isDamage, toAdapterError } from './sqlite-errors.js';

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
  fault: Error | undefined;
  /** Answers the caller with the outcome. */
  settled = (): void => {};
  readonly #settle: Settle<Result>;

  constructor(
    private readonly statement: (connection: SqliteConnection) => MaybePromise<Result>,
    private readonly errorOf: ErrorOf = toAdapterError,
  ) {
    [this.answer, this.#settle] = deferred<Result>();
  }

  run(connection: SqliteConnection): MaybePromise<void> {
    this.fault = undefined;
    return recoverWith(
      () =>
        whenResolved(this.statement(connection), (result) => {
          this.settled = () => this.#settle.resolve(result);
        }),
      (error) => {
        const fault = this.errorOf(error);
        this.fault = fault;
        this.settled = () => this.#settle.reject(fault);
      },
    );
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
    this.failed(new GroupLostError(toAdapterError(error).cause));
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

/**
 * A caller's transaction: a savepoint in the transaction that the writer's current group shares. The members of a group
 * run one after another, so each sees the database as if it were alone. `commit` resolves once the group is durable.
 */
class SqliteTransaction implements Transaction {
  readonly provider = 'sqlite';
  readonly adapterName = 'business-records-gateway-sqlite';
  // Tells Prisma not to send BEGIN and COMMIT as statements: the writer runs them for a whole group.
  readonly options = { usePhantomQuery: true };

  readonly #connection: SqliteConnection;
  readonly #onEnd: (fault?: Error) => void;
  readonly #group: Promise<void>;
  readonly #turns = new Turns();
  #open = true;
  /** What has ended it early: later statements report that, too. */
  #fault: Error | undefined;

  /**
   * `group` settles with the outcome of the group. `onEnd` is called once to let the next member run: after commit or
   * rollback, or with the error that made SQLite roll back everything.
   */
  constructor(connection: SqliteConnection, group: Promise<void>, onEnd: (fault?: Error) => void) {
    this.#connection = connection;
    this.#group = group;
    this.#onEnd = onEnd;
    connection.script(`SAVEPOINT ${SAVEPOINT}`);
  }

  async queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    await this.#turns.due();
    return this.#run(() => this.#connection.query(query));
  }

  async executeRaw(query: SqlQuery): Promise<number> {
    await this.#turns.due();
    return this.#run(() => this.#connection.execute(query));
  }

  async commit(): Promise<void> {
    try {
      this.#run(() => this.#connection.script(`RELEASE ${SAVEPOINT}`));
    } finally {
      this.#end();
    }
    await this.#group;
  }

  /**
   * Rolls the transaction back, and resolves when the group is durable: the rollback may be based on what the caller
   * read of earlier members, and must not be reported before that is durable.
   */
  async rollback(): Promise<void> {
    if (!this.#open) return;
    try {
      if (this.#connection.inTransaction) this.#connection.script(`ROLLBACK TO ${SAVEPOINT}; RELEASE ${SAVEPOINT}`);
    } finally {
      this.#end();
    }
    await this.#group.catch(() => undefined);
  }

  async createSavepoint(name: string): Promise<void> {
    this.#run(() => this.#connection.script(`SAVEPOINT ${name}`));
  }

  async rollbackToSavepoint(name: string): Promise<void> {
    this.#run(() => this.#connection.script(`ROLLBACK TO ${name}`));
  }

  async releaseSavepoint(name: string): Promise<void> {
    this.#run(() => this.#connection.script(`RELEASE ${name}`));
  }

  #run<Result>(work: () => Result): Result {
    // Otherwise a late statement would run in another caller's transaction or in none.
    if (!this.#open) throw this.#fault ?? alreadyClosed();
    try {
      return work();
    } catch (cause) {
      const error = toAdapterError(cause);
      // SQLite has rolled back everything (disk full, I/O error) or will, so the transaction cannot go on.
      if (!this.#connection.inTransaction || isDamage(error)) this.#end(error);
      throw error;
    }
  }

  #end(fault?: Error): void {
    if (!this.#open) return;
    this.#open = false;
    this.#fault = fault;
    this.#onEnd(fault);
  }
}

const SAVEPOINT = 'group_member';

function alreadyClosed(): DriverAdapterError {
  return new DriverAdapterError({
    kind: 'TransactionAlreadyClosed',
    cause: 'The transaction has ended: it was committed, rolled back, or undone by the database',
  });
}
