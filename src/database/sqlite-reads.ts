import type { SqliteConnection } from './sqlite-connection.js';
import type { SqliteReaders } from './sqlite-readers.js';
import { SmallReads } from './sqlite-small.js';

/** How reads are done. For tests. */
export interface SqliteReading {
  /** The program of the reader processes, where it is not to be looked for. */
  readerProgram?: string | undefined;
  /** Where every read is answered, in this process or in others, however long it may take. */
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
    here: () => Result,
    elsewhere: (readers: SqliteReaders) => Promise<Result>,
  ): Result | Promise<Result> {
    const { readsAt } = this.reading;
    if (readsAt === 'here' || (isBounded && readsAt !== 'elsewhere')) return here();
    if (readsAt === undefined && this.#small.isSmall(sql)) return this.#small.timed(here);
    return elsewhere(this.readers);
  }
}
