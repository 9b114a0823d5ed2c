/** The outcome of a failed commit on PostgreSQL, as far as it is known. */
import { DriverAdapterError } from '@prisma/driver-adapter-utils';
import { adapterErrorOf } from './database-problem.js';

/**
 * The connection broke after a commit had been sent and before it was answered: the change may have been made or not.
 * `databaseProblem` maps it to `database_unavailable`.
 */
class OutcomeUnknownError extends DriverAdapterError {
  constructor(error: unknown) {
    const reason = error instanceof Error ? error.message : String(error);
    super({ originalMessage: `The outcome of a commit is unknown: ${reason}`, kind: 'ConnectionClosed' });
  }
}

/**
 * Waits for the answer to a statement that commits. Whatever leaves the outcome open is thrown as an error that
 * `isOutcomeUnknown` recognizes; every other error means that nothing was kept.
 */
export async function outcomeOf<Result>(committing: Promise<Result>): Promise<Result> {
  try {
    return await committing;
  } catch (error) {
    throw isReported(error) ? error : new OutcomeUnknownError(error);
  }
}

/** Whether the change behind `error` may have been made. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return adapterErrorOf(error) instanceof OutcomeUnknownError || isOutcomeUnknown(error.cause);
}

/**
 * Whether PostgreSQL itself reported the error, rolled back, and keeps the connection. False if the connection broke,
 * was closed by the server, or gave no answer in time.
 */
export function isReported(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const cause = adapterErrorOf(error)?.cause;
  const severity = severityOf(cause ?? error);
  const code = cause?.originalCode ?? ('code' in error ? error.code : undefined);
  return typeof code === 'string' && sqlState.test(code) && severity !== 'PANIC';
}

/**
 * Codes of errors after which a session goes on; not those of a broken connection (08), a server that shuts down (57P),
 * a failing disk (58) or a fault of the server (XX), nor EPIPE, which is a code of Node.
 */
const sqlState = /^(?!08|57P|58|XX|E)[0-9A-Z]{5}$/;

const severityOf = (error: object): unknown => ('severity' in error ? error.severity : undefined);

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
