/** Statements that only read, outside of every transaction and without Prisma in between. */
export interface Reads {
  /** The rows, texts and integers as the database gives them: at once on SQLite, later on PostgreSQL. */
  read: Read;
  close(): void;
}

export type Read = (sql: string, values: readonly (string | number)[]) => Rows | Promise<Rows>;
export type Rows = readonly (readonly unknown[])[];
