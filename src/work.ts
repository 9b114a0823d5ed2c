/**
 * Work on a database, written once. A work is a generator: it yields each SQL statement it wants to run and is given the
 * rows. So the same code runs in one go on SQLite, which answers at once, and statement by statement on PostgreSQL or in a
 * transaction that Prisma holds.
 */
export type Value = string | number | null;

/** A statement; places of values are `?` or `?1` on SQLite and `$1` on PostgreSQL. */
export interface Statement {
  sql: string;
  values: readonly Value[];
  /** All that the work changes, so that it needs no transaction around it. Only the first statement of a work may be. */
  isWhole?: boolean;
}

/** Texts, numbers and null as the database gives them; integers may be bigints. */
export type Rows = readonly (readonly unknown[])[];

export type Work<Result> = Generator<Statement, Result, Rows>;

/** Runs a statement and gives its rows: `yield* rows(sql, values)`. */
export function* rows(sql: string, values: readonly Value[]): Work<Rows> {
  return yield { sql, values };
}

/** The result of a work whose statements `run` answers at once. */
export function performNow<Result>(work: Work<Result>, run: (statement: Statement) => Rows): Result {
  let step = work.next();
  while (!step.done) step = work.next(run(step.value));
  return step.value;
}

/** The result of a work whose statements `run` answers later. */
export async function performLater<Result>(
  work: Work<Result>,
  run: (statement: Statement) => Promise<Rows>,
): Promise<Result> {
  let step = work.next();
  while (!step.done) step = work.next(await run(step.value));
  return step.value;
}

/** The same work, whose statements pass through `look` before they run. */
export function* watched<Result>(work: Work<Result>, look: (statement: Statement) => void): Work<Result> {
  let step = work.next();
  while (!step.done) {
    look(step.value);
    step = work.next(yield step.value);
  }
  return step.value;
}
