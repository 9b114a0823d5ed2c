import { DriverAdapterError, type SqlQuery, type SqlResultSet, type Transaction } from '@prisma/driver-adapter-utils';
import { Turns } from '../turns.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { isDamage, toAdapterError } from './sqlite-errors.js';

/**
 * A caller's transaction: a savepoint in the transaction that the writer's current group shares. The members of a group
 * run one after another, so each sees the database as if it were alone. `commit` resolves once the group is durable.
 */
export class SqliteTransaction implements Transaction {
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
