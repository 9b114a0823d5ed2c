/** Statements without Prisma in between: those that only read, and those that write a record and answer with it. */
export interface Direct {
  /** The rows, texts and integers as the database gives them: at once on SQLite, later on PostgreSQL. */
  read: Read;
  write: Write;
  close(): void;
}

export type Read = (sql: string, values: readonly (string | number)[]) => Rows | Promise<Rows>;
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
