import type { Procedure, Rows } from '../work.js';
import type { Caller } from './caller.js';
import type { CommitSignals } from './commit-signals.js';

/** Direct access to the database, without Prisma: plain reads, and units of work that write. */
export interface DirectAccess {
  /**
   * The rows with the database's own types, unconverted: synchronously for a bounded read on SQLite, otherwise as a
   * promise.
   */
  read: Read;
  perform: RunProcedure;
  /** Undefined where the database passes none on. */
  signals?: CommitSignals;
  close(): Promise<void>;
}

/** Without `reach`, the statement counts as unbounded. */
export type Read = (
  sql: string,
  values: readonly (string | number)[],
  reach?: ReadBound,
  caller?: Caller,
) => Rows | Promise<Rows>;

/**
 * How many rows a statement examines: `bounded` where an index limits them to a number that does not grow with the
 * table, such as a record by its id or a page of a list; otherwise `unbounded`.
 */
export type ReadBound = 'bounded' | 'unbounded';

export type { Rows };

/**
 * Runs a unit of work in its own transaction, all or nothing, and resolves with its result once that is durable. An
 * error it throws rolls the transaction back. `begin` creates it, again for each repetition after a conflict.
 */
export type RunProcedure = <Result>(begin: () => Procedure<Result>) => Promise<Result>;
