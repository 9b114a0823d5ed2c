import type { Caller } from './caller.js';

/** Statements without Prisma in between: those that only read, and those that write a record and answer with it. */
export interface Direct {
  /** The rows, texts and integers as the database gives them: at once for a bounded read on SQLite, else later. */
  read: Read;
  write: Write;
  close(): Promise<void>;
}

/** For whom nobody says how far it goes, it is unbounded. */
export type Read = (
  sql: string,
  values: readonly (string | number)[],
  reach?: Reach,
  caller?: Caller,
) => Rows | Promise<Rows>;

/**
 * How many rows a statement reads at most: `bounded` where an index leads to a number that does not grow with the table,
 * as to a record by its id or a page of a list; else `unbounded`.
 */
export type Reach = 'bounded' | 'unbounded';

export type Rows = readonly (readonly unknown[])[];

export interface Statement {
  sql: string;
  values: readonly (string | number | null)[];
}

/**
 * What is written in one transaction, and the statement whose rows tell of it: none where nothing was changed. PostgreSQL
 * does all of it in that one.
 */
export interface Batch {
  changes: readonly Statement[];
  answer: Statement;
}

/**
 * Runs a batch, all or nothing, and resolves with the answer's rows once they are durable. `begin` is asked just before
 * it runs, again where a conflict repeats it; where it says no, nothing is done and there are no rows.
 */
export type Write = (batch: Batch, begin: () => boolean) => Promise<Rows | undefined>;
