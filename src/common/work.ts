import type { MaybePromise } from './maybe-promise.js';

/**
 * A unit of work on a database, independent of how it is run. It is a generator that yields SQL statements and receives
 * their rows. The same code therefore runs synchronously on SQLite, and asynchronously on PostgreSQL or in a
 * transaction of Prisma.
 */
export type Value = string | number | null;

/** A statement. Its placeholders are `?` or `?1` on SQLite and `$1` on PostgreSQL. */
export interface Statement {
  sql: string;
  values: readonly Value[];
  /**
   * Whether this statement makes all changes of the unit of work, so that it needs no transaction. Allowed only while no
   * transaction has begun.
   */
  isWhole?: boolean;
  /**
   * Whether this statement only reads, and the statements that write check again what it has read. It therefore begins
   * no transaction.
   */
  isChecked?: boolean;
  /**
   * Whether this statement, which returns no rows itself, is answered with one row: the number of rows it has changed.
   * Only on SQLite.
   */
  isCounted?: boolean;
  /** A comment in SQL that is sent with it. Only on PostgreSQL. */
  comment?: string;
  /**
   * Whether no listener waits for what this statement changes: a commit of such statements alone calls no listeners.
   */
  callsNoListeners?: boolean;
  /**
   * Called when a connection is there, right before a statement marked `isWhole` is sent on it without a transaction.
   * If it throws, the statement is not sent.
   */
  beforeSend?: () => void;
}

/** Rows as the database returns them: texts, numbers and null; integers may be bigints. */
export type Rows = readonly (readonly unknown[])[];

export type Procedure<Result> = Generator<Statement, Result, Rows>;

/** Runs a statement and returns its rows; used as `yield* rows(sql, values)`. */
export function* rows(sql: string, values: readonly Value[]): Procedure<Rows> {
  return yield { sql, values };
}

/**
 * Runs a unit of work with `run` for each statement: synchronously while `run` answers at once. If `run` fails, the work
 * does not go on.
 */
export function drive<Result>(
  work: Procedure<Result>,
  run: (statement: Statement) => MaybePromise<Rows>,
): MaybePromise<Result> {
  let step = work.next();
  while (!step.done) {
    const rows = run(step.value);
    if (rows instanceof Promise) return goOn(work, rows, run);
    step = work.next(rows);
  }
  return step.value;
}

async function goOn<Result>(
  work: Procedure<Result>,
  awaited: Promise<Rows>,
  run: (statement: Statement) => MaybePromise<Rows>,
): Promise<Result> {
  let step = work.next(await awaited);
  while (!step.done) step = work.next(await run(step.value));
  return step.value;
}

/**
 * The same unit of work with other statements: `alter` is called before each is sent, and `answered` once its rows are
 * there.
 */
export function* altered<Result>(
  work: Procedure<Result>,
  alter: (statement: Statement) => Statement,
  answered?: () => void,
): Procedure<Result> {
  let step = work.next();
  while (!step.done) {
    const rows = yield alter(step.value);
    answered?.();
    step = work.next(rows);
  }
  return step.value;
}

/** The same unit of work, whose commit calls no listeners, because it changes nothing that they wait for. */
export function withoutListeners<Result>(work: Procedure<Result>): Procedure<Result> {
  return altered(work, (statement) => ({ ...statement, callsNoListeners: true }));
}

/** The same unit of work in a transaction, also where its first statement needs none. */
export function inTransaction<Result>(work: Procedure<Result>): Procedure<Result> {
  return altered(work, (statement) => ({ ...statement, isWhole: false }));
}

// A part of a transaction that is undone alone. Work of a database reaches it as any other, so its statements are the only ones of
// their kind that may come from there.

const attempt = { begin: 'SAVEPOINT attempt', undo: 'ROLLBACK TO SAVEPOINT attempt', end: 'RELEASE SAVEPOINT attempt' };

export const isOfAttempt = (sql: string): boolean =>
  sql === attempt.begin || sql === attempt.undo || sql === attempt.end;

/**
 * Runs work as a part of the transaction that all statements around it make. An error that the work throws, and that `refusalIn`
 * takes for a refusal, undoes that part and is returned. What the database throws ends the whole, as does any other error.
 */
export function* attempted<Refusal>(
  work: Procedure<unknown>,
  refusalIn: (error: unknown) => Refusal | undefined,
): Procedure<Refusal | undefined> {
  yield* rows(attempt.begin, []);
  let refusal: Refusal | undefined;
  try {
    yield* work;
  } catch (error) {
    refusal = refusalIn(error);
    if (refusal === undefined) throw error;
    yield* rows(attempt.undo, []);
  }
  yield* rows(attempt.end, []);
  return refusal;
}
