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

/**
 * A caller's transaction: a savepoint in the transaction that the writer's current group shares. It begins when its turn comes and
 * lasts until the caller ends it. The members of a group run one after another, so each sees the database as if it were alone.
 * `commit` resolves once the group is durable.
 */
export class WriteTransaction implements WriteUnit, Transaction {
  readonly provider = 'sqlite';
  readonly adapterName = 'business-records-gateway-sqlite';
  // Tells Prisma not to send BEGIN and COMMIT as statements: the writer runs them for a whole group.
  readonly options = { usePhantomQuery: true };

  readonly waitingSince = performance.now();
  /** Resolves with the transaction when it has begun. */
  readonly granted: Promise<Transaction>;
  /** The error that made SQLite roll back everything, if any; later statements report it, too. */
  fault: Error | undefined;
  readonly #grant: Settle<Transaction>;
  readonly #group: Promise<void>;
  readonly #groupEnds: Settle<void>;
  readonly #turns = new Turns();
  /** While it is open: its connection, and what lets the next member run. */
  #open: { connection: SqliteConnection; end(): void } | undefined;

  constructor() {
    [this.granted, this.#grant] = deferred<Transaction>();
    [this.#group, this.#groupEnds] = deferred<void>();
    // Prevents an unhandled rejection: if the database rolled back the transaction, its caller already knows and no
    // longer waits.
    this.#group.catch(() => undefined);
  }

  async run(connection: SqliteConnection): Promise<void> {
    const [ended, end] = deferred<void>();
    try {
      connection.script(`SAVEPOINT ${SAVEPOINT}`);
      this.#open = { connection, end: end.resolve };
      this.#grant.resolve(this);
      await ended;
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

  async queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    await this.#turns.due();
    return this.#do((connection) => connection.query(query));
  }

  async executeRaw(query: SqlQuery): Promise<number> {
    await this.#turns.due();
    return this.#do((connection) => connection.execute(query));
  }

  async commit(): Promise<void> {
    try {
      this.#script(`RELEASE ${SAVEPOINT}`);
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
    const { connection } = this.#open;
    try {
      if (connection.inTransaction) connection.script(`ROLLBACK TO ${SAVEPOINT}; RELEASE ${SAVEPOINT}`);
    } finally {
      this.#end();
    }
    await this.#group.catch(() => undefined);
  }

  async createSavepoint(name: string): Promise<void> {
    this.#script(`SAVEPOINT ${name}`);
  }

  async rollbackToSavepoint(name: string): Promise<void> {
    this.#script(`ROLLBACK TO ${name}`);
  }

  async releaseSavepoint(name: string): Promise<void> {
    this.#script(`RELEASE ${name}`);
  }

  #script(sql: string): void {
    this.#do((connection) => connection.script(sql));
  }

  #do<Result>(work: (connection: SqliteConnection) => Result): Result {
    // Otherwise a late statement would run in another caller's transaction or in none.
    if (!this.#open) throw this.fault ?? alreadyClosed();
    const { connection } = this.#open;
    try {
      return work(connection);
    } catch (cause) {
      const error = toAdapterError(cause);
      // SQLite has rolled back everything (disk full, I/O error) or will, so the transaction cannot go on.
      if (!connection.inTransaction || isDamage(error)) this.#end(error);
      throw error;
    }
  }

  #end(fault?: Error): void {
    if (!this.#open) return;
    this.fault = fault;
    this.#open.end();
    this.#open = undefined;
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

const SAVEPOINT = 'group_member';

function alreadyClosed(): DriverAdapterError {
  return new DriverAdapterError({
    kind: 'TransactionAlreadyClosed',
    cause: 'The transaction has ended: it was committed, rolled back, or undone by the database',
  });
}
