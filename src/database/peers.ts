import type { CommitSignals } from './commit-signals.js';

/**
 * Other processes on the same SQLite file that this one can talk to. Without them the file itself still lets only one
 * process write at a time, but each has to poll for its turn and for the commits of others.
 */
export interface Peers {
  turns: WriteTurns;
  signals: CommitSignals;
  alarm: OverwrittenAlarm;
}

/**
 * Whether a process has seen that the file was overwritten. It holds for all of them, also for one that is started later, which
 * would take what it finds for the right file.
 */
export interface OverwrittenAlarm {
  isRaised(): boolean;
  raise(): void;
}

/** Which of several processes writes next. This is for speed and fairness only: the lock of the file protects it. */
export interface WriteTurns {
  /** Resolves when it is the turn of this process, or when it has waited so long that it may try without one. */
  take(): Promise<void> | undefined;
  /** To be called after each commit: lets another process write that waits for it. */
  end(): void;
}
