import { DriverAdapterError, type SqlQuery, type SqlResultSet, type Transaction } from '@prisma/driver-adapter-utils';
import type { SqliteConnection } from './sqlite-connection.js';
import { toAdapterError } from './sqlite-errors.js';

/**
 * A caller's transaction: a savepoint in the transaction that the writer's present group shares. Its statements see
 * the database as if it were alone, since the members of a group run one after another; `commit` resolves once the
 * group is durable.
 */
export class SqliteTransaction implements Transaction {
  readonly provider = 'sqlite';
  readonly adapterName = 'business-records-gateway-sqlite';
  // The writer says BEGIN and COMMIT for a whole group; Prisma is not to send them as statements.
  readonly options = { usePhantomQuery: true };

  readonly #connection: SqliteConnection;
  readonly #onEnd: (fault?: Error) => void;
  readonly #group: Promise<void>;
  #open = true;

  /**
   * `group` settles with the fate of the group; `onEnd` is called once to let the next member run: when the caller has
   * committed or rolled back, or with the error that made SQLite undo everything.
   */
  constructor(connection: SqliteConnection, group: Promise<void>, onEnd: (fault?: Error) => void) {
    this.#connection = connection;
    this.#group = group;
    this.#onEnd = onEnd;
    connection.script(`SAVEPOINT ${SAVEPOINT}`);
  }

  async queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    return this.#run(() => this.#connection.query(query));
  }

  async executeRaw(query: SqlQuery): Promise<number> {
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
   * Undoes what the transaction did, and answers with the group: what the caller saw of members before it may be the
   * reason for the rollback, and must not be told before it is durable.
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
    // Without this, a statement that comes late would run, and stay, in another caller's transaction or in none.
    if (!this.#open) throw alreadyClosed();
    try {
      return work();
    } catch (cause) {
      const error = toAdapterError(cause);
      // SQLite itself has rolled everything back (disk full, I/O error): there is nothing left to go on with.
      if (!this.#connection.inTransaction) this.#end(error);
      throw error;
    }
  }

  #end(fault?: Error): void {
    if (!this.#open) return;
    this.#open = false;
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
