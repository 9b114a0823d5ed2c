import type { MaybePromise } from '../../maybe-promise.js';
import type { SqliteConnection } from './sqlite-connection.js';
import type { ReaderOptions, SqliteReaderPool } from './sqlite-reader-pool.js';
import { SmallReads } from './sqlite-small-reads.js';

/** Options for reads. */
export interface SqliteReadOptions extends ReaderOptions {
  /** Forces every read into this process (`here`) or into reader processes (`elsewhere`). For tests. */
  readsAt?: 'here' | 'elsewhere' | undefined;
}

/** Decides where a read runs: bounded and small reads in this process, all others in reader processes. */
export class SqliteReadRouter {
  readonly #small: SmallReads;

  /** `connection` is used to estimate which reads are small. */
  constructor(
    connection: SqliteConnection,
    private readonly readers: SqliteReaderPool,
    private readonly reading: SqliteReadOptions,
  ) {
    this.#small = new SmallReads(connection);
  }

  answer<Result>(
    sql: string,
    isBounded: boolean,
    here: () => MaybePromise<Result>,
    elsewhere: (readers: SqliteReaderPool) => Promise<Result>,
  ): MaybePromise<Result> {
    const { readsAt } = this.reading;
    if (readsAt === 'here' || (isBounded && readsAt !== 'elsewhere')) return here();
    if (readsAt === undefined && this.#small.isSmall(sql)) return this.#small.timed(here);
    return elsewhere(this.readers);
  }
}
