import { type MaybePromise, recoverWith } from '../../../common/maybe-promise.js';
import { HeavyRead } from '../../answer-limit.js';
import type { SqliteConnection } from '../sqlite-connection.js';
import type { ReaderOptions, SqliteReaderPool } from './sqlite-reader-pool.js';
import { SmallReads } from './sqlite-small-reads.js';

/** Options for reads. */
export interface SqliteReadOptions extends ReaderOptions {
  /** Whether nothing is written at all, so that the file need not be writable. */
  onlyReads?: boolean;
  /** Forces every read into this process (`here`) or into reader processes (`elsewhere`). For tests. */
  readsAt?: 'here' | 'elsewhere' | undefined;
}

/** Bytes from which a read in this process is heavy. It has then held the event loop for some 20 ms. */
const heavy = 2 * 1024 * 1024;

/** Bytes from which connections of this process break a read off; undefined where all reads run in this process. */
export const heavyHere = ({ readsAt }: SqliteReadOptions): number | undefined =>
  readsAt === 'here' ? undefined : heavy;

/**
 * Decides where a read runs: bounded and small reads in this process, all others in reader processes. A bounded read
 * that turns out to be heavy is broken off and runs in a reader process, too.
 */
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
    if (readsAt === 'here') return here();
    const isHere = readsAt === undefined && (isBounded || this.#small.isSmall(sql));
    if (!isHere) return elsewhere(this.readers);
    return recoverWith(isBounded ? here : () => this.#small.timed(here), (error) => {
      if (error instanceof HeavyRead) return elsewhere(this.readers);
      throw error;
    });
  }
}
