import type { Procedure } from '../../common/work.js';
import type { Caller } from '../../database/caller.js';
import type { Database, TransactionClient } from '../../database/open-database.js';
import type { SlowestStatement } from '../../database/slowest-statement.js';

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
export class BoundDatabase implements Database {
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
