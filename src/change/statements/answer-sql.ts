/** How written records are answered. */
export interface AnswerSql {
  /** Reads the answer from the written rows, under the name of their table. */
  select: string;
  /** Named queries that `select` reads; they come behind those that write. */
  queries?: readonly string[];
  /** Whether it also reads rows of other tables. */
  showsMore: boolean;
  /** The tables whose rows it reads in addition to the written records. */
  tables: ReadonlySet<string>;
}
