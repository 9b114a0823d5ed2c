import type { Caller } from '../database/caller.js';
import type { Database, TransactionClient } from '../database/open-database.js';

/**
 * The database for one request: reads stop with their caller, and writes are replaced. Prisma's client is asked for only
 * when it is used, because it is made then. A class, because an object with a getter takes 2 µs to make.
 */
export class BoundDatabase implements Database {
  readonly provider: Database['provider'];
  readonly read: Database['read'];
  readonly perform: Database['perform'];
  readonly transaction: Database['transaction'];
  readonly onCommit: Database['onCommit'];
  readonly readings: Database['readings'];
  readonly ping: Database['ping'];
  readonly close: Database['close'];
  readonly #database: Database;

  constructor(database: Database, caller: Caller, writes: Pick<Database, 'perform' | 'transaction'>) {
    const { provider, read, onCommit, readings, ping, close } = database;
    this.#database = database;
    this.provider = provider;
    this.read = read && ((sql, values, reach) => read(sql, values, reach, caller));
    this.perform = writes.perform;
    this.transaction = writes.transaction;
    this.onCommit = onCommit;
    this.readings = readings;
    this.ping = ping;
    this.close = close;
  }

  get client(): TransactionClient {
    return this.#database.client;
  }
}
