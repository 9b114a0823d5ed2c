/** How patient the writer is and how much one commit may hold. */
export interface WriterLimits {
  /** Longest wait in the queue before a unit is refused with P1008, in milliseconds. */
  waitMillis: number;
  /** Most units in the queue; one more is refused at once. */
  waiting: number;
  /** Most units that share one commit. */
  groupUnits: number;
  /** No unit joins a group that has been open this long, in milliseconds. */
  groupMillis: number;
}

export const writerLimits: WriterLimits = { waitMillis: 10_000, waiting: 10_000, groupUnits: 64, groupMillis: 10 };
