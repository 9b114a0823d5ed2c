import type { Caller } from '../database/caller.js';
import type { Database, TransactionClient } from '../database/open-database.js';
import type { Procedure } from '../work.js';

/** Runs writes within the time of a request. */
interface TimedWrites {
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
  readonly #caller: Caller & TimedWrites;

  constructor(database: Database, caller: Caller & TimedWrites) {
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
    if (!read) return undefined;
    return (sql, values, reach) => {
      const rows = read(sql, values, reach, caller);
      // A read that is answered at once is never slow.
      if (rows instanceof Promise) rows.then(caller.statements?.begin(sql), () => undefined);
      return rows;
    };
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
