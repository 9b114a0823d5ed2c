/** What a connection is for. */
export interface SqliteConnectionOptions {
  readonly?: boolean;
  /** The capacity for prepared statements, in characters. */
  charactersKept?: number;
  /** The largest answer in bytes. */
  answerLimit?: number | undefined;
  /** Bytes from which a read is broken off with `HeavyRead`; none is where it is left out. */
  heavy?: number | undefined;
}
