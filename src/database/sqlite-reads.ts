import type { MaybePromise } from '../when-there.js';
import type { SqliteConnection } from './sqlite-connection.js';
import type { ReaderOptions, SqliteReaders } from './sqlite-readers.js';
import { SmallReads } from './sqlite-small.js';

/** How reads are done. */
export interface SqliteReading extends ReaderOptions {
  /** Where every read is answered, in this process or in others, however long it may take. For tests. */
  readsAt?: 'here' | 'elsewhere' | undefined;
}

/** Decides where reads are answered: the bounded and the small at once, all others by processes of their own. */
export class SqliteReads {
  readonly #small: SmallReads;

  /** `connection` tells what is small. */
  constructor(
    connection: SqliteConnection,
    private readonly readers: SqliteReaders,
    private readonly reading: SqliteReading,
  ) {
    this.#small = new SmallReads(connection);
  }

  answer<Result>(
    sql: string,
    isBounded: boolean,
    here: () => MaybePromise<Result>,
    elsewhere: (readers: SqliteReaders) => Promise<Result>,
  ): MaybePromise<Result> {
    const { readsAt } = this.reading;
    if (readsAt === 'here' || (isBounded && readsAt !== 'elsewhere')) return here();
    if (readsAt === undefined && this.#small.isSmall(sql)) return this.#small.timed(here);
    return elsewhere(this.readers);
  }
}
