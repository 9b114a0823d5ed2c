/** How processes on one database tell each other of commits, where the database can pass that on. */
export interface CommitSignals {
  /** Tells the other processes that listen, if there are any: soon, and once for many commits. */
  send(): void;
  /** Calls `onSignal` when another process has committed. */
  listen(onSignal: () => void): Listening;
}

export interface Listening {
  /** Whether signals arrive at present; otherwise commits have to be looked for. */
  readonly isHearing: boolean;
  stop(): void;
}
