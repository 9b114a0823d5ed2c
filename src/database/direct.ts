import type { Caller } from './caller.js';

/** Direct access to the database, without Prisma: plain reads, and batches that write a record and return it. */
export interface Direct {
  /**
   * The rows with the database's own types, unconverted: synchronously for a bounded read on SQLite, otherwise as a
   * promise.
   */
  read: Read;
  write: Write;
  close(): Promise<void>;
}

/** Without `reach`, the statement counts as unbounded. */
export type Read = (
  sql: string,
  values: readonly (string | number)[],
  reach?: Reach,
  caller?: Caller,
) => Rows | Promise<Rows>;

/**
 * How many rows a statement examines: `bounded` where an index limits them to a number that does not grow with the
 * table, such as a record by its id or a page of a list; otherwise `unbounded`.
 */
export type Reach = 'bounded' | 'unbounded';

export type Rows = readonly (readonly unknown[])[];

export interface Statement {
  sql: string;
  values: readonly (string | number | null)[];
}

/**
 * The statements of one transaction: `changes`, then `answer`, which returns the changed record, or no row if nothing
 * was changed. On PostgreSQL `answer` alone does all of it.
 */
export interface Batch {
  changes: readonly Statement[];
  answer: Statement;
}

/**
 * Runs a batch, all or nothing, and resolves with the rows of `answer` once they are durable. `begin` is called just
 * before each attempt; if it returns false, nothing is run and the result is undefined.
 */
export type Write = (batch: Batch, begin: () => boolean) => Promise<Rows | undefined>;
