/** Limits of the writer's queue and of its commits. */
export interface WriterLimits {
  /** The longest wait in the queue, in milliseconds; then a unit is refused with P1008. */
  waitMillis: number;
  /** The most units in the queue; further ones are refused at once. */
  waiting: number;
  /** The most units that share one commit. */
  groupUnits: number;
  /** Milliseconds for which a group may wait for more units before it begins, as long as they keep arriving. */
  gatherMillis: number;
  /** Milliseconds after which no unit joins an open group. */
  groupMillis: number;
}

export const writerLimits: WriterLimits = {
  waitMillis: 10_000,
  waiting: 10_000,
  groupUnits: 64,
  gatherMillis: 5,
  groupMillis: 10,
};
