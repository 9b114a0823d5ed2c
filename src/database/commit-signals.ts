/** Signals by which processes on one database notify each other of commits, where the database can deliver them. */
export interface CommitSignals {
  /** Notifies the other processes that listen, if there are any: soon, and once for many commits. */
  send(): void;
  /** Calls `onSignal` when another process has committed. */
  listen(onSignal: () => void): Listening;
}

export interface Listening {
  /** Whether signals arrive at present; otherwise the process has to poll for commits. */
  readonly isHearing: boolean;
  stop(): void;
}
