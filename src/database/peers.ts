import type { CommitSignals } from './commit-signals.js';

/**
 * Other processes on the same SQLite file that this one can talk to. Without them the file itself still lets only one
 * process write at a time, but each has to poll for its turn and for the commits of others.
 */
export interface Peers {
  turns: WriteTurns;
  signals: CommitSignals;
  files: FilePeers;
}

/** What processes that share the file tell each other of it. It holds for one that is started later, too. */
export interface FilePeers {
  /** Whether one has seen that it was overwritten: another would take what it finds for the right file. */
  isOverwritten(): boolean;
  tellOverwritten(): void;
  /** Tells which files this process has open. */
  tellOpened(files: string): void;
}

/** Which of several processes writes next. This is for speed and fairness only: the lock of the file protects it. */
export interface WriteTurns {
  /** Resolves when it is the turn of this process, or when it has waited so long that it may try without one. */
  take(): Promise<void> | undefined;
  /** To be called after each commit: lets another process write that waits for it. */
  end(): void;
}
