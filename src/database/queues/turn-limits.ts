export interface TurnLimits {
  /** The most work under way, of all callers. */
  atOnce: number;
  /** The most work under way for all callers with the same key; by default as much as for all together. */
  perKey?: number;
  /** The most work under way for one caller. */
  perCaller: number;
  /** The most callers that wait for a turn; further ones are refused. */
  waiting: number;
  /** The longest wait for a turn, in milliseconds. Time spent waiting for the caller's own work does not count. */
  waitMillis: number;
}

/** The errors for refused or stopped work. */
export interface TurnErrors {
  /** Too many callers wait, or this one has waited too long. */
  busy(): Error;
  /** The caller's time is over. */
  over(): Error;
}
