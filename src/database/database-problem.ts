import { setTimeout as sleep } from 'node:timers/promises';
import { DriverAdapterError, isDriverAdapterError } from '@prisma/driver-adapter-utils';
import { ExplainedError } from '../common/config-error.js';
import type { Unavailability } from '../model/errors/errors.js';
import type { Profile } from './database-url.js';

/**
 * Kinds of database trouble, in the words of the error catalogue. A `conflict` with another transaction goes away when
 * the work is repeated; a `timeout` means that the work took too long and was rolled back. A number that is taken may be a chance,
 * where numbers are random: that work is repeated, too.
 */
export type DatabaseProblem = 'timeout' | 'conflict' | Unavailability;

/**
 * The kind of database trouble behind `error`; undefined for any other error (a constraint, a bug). Such errors arrive
 * in three classes: Prisma's known request error, a bare `DriverAdapterError` (at COMMIT), and a plain `Error` of the
 * driver. This is the only place that tells them apart.
 */
export function databaseProblem(error: unknown): DatabaseProblem | undefined {
  for (const fact of factsOf(error)) {
    const problem = problems.find(([pattern]) => pattern.test(fact));
    if (problem) return problem[1];
  }
  return undefined;
}

/** Whether the work may succeed when it is repeated at once. */
export const isUndoneByOthers = (error: unknown): boolean =>
  ['conflict', 'number_taken'].includes(databaseProblem(error) ?? '');

/** The driver adapter's error: `error` itself or one it wraps. */
export function adapterErrorOf(error: unknown): DriverAdapterError | undefined {
  if (!(error instanceof Error)) return undefined;
  if (isDriverAdapterError(error)) return error;
  const meta = 'meta' in error && typeof error.meta === 'object' ? error.meta : undefined;
  const held = meta && 'driverAdapterError' in meta ? meta.driverAdapterError : undefined;
  return held instanceof Error && isDriverAdapterError(held) ? held : undefined;
}

/**
 * The identifying parts of an error, most specific first: the database's code, the adapter's kind, Prisma's code, the
 * message.
 */
function* factsOf(error: unknown): Generator<string> {
  if (!(error instanceof Error)) return;
  const { originalCode, kind } = adapterErrorOf(error)?.cause ?? {};
  if (originalCode) yield originalCode;
  if (kind) yield kind;
  if ('code' in error && typeof error.code === 'string') {
    yield error.code === 'P2028' ? `P2028 ${error.message}` : error.code;
  }
  yield error.message;
  if (error.cause !== error) yield* factsOf(error.cause);
}

// SQLite's result codes; PostgreSQL's SQLSTATEs (Appendix A of its manual); kinds of Prisma's adapters; Prisma's codes;
// error codes and messages of Node and pg for failed connections.
const problems: [RegExp, DatabaseProblem][] = [
  [/^(SQLITE_BUSY|SQLITE_LOCKED|SQLITE_PROTOCOL)/, 'busy'],
  [/^SQLITE_INTERRUPT/, 'timeout'],
  [/^SQLITE_FULL/, 'storage_full'],
  [/^SQLITE_READONLY_DBMOVED/, 'gone'],
  [/^SQLITE_CORRUPT_OVERWRITTEN/, 'overwritten'],
  [/^(SQLITE_(CORRUPT|NOTADB)|XX00[12]$)/, 'damaged'],
  [/^(SQLITE_READONLY|25006$)/, 'read_only'],
  [/^SQLITE_(IOERR|CANTOPEN|MISUSE|PERM|NOMEM)/, 'database_unavailable'],
  [/^(40001|40P01)$/, 'conflict'],
  // With the profile `distributed` the numbers of entries are random, so two may be equal; otherwise a sequence is behind.
  [/"(JournalEntry|SearchText)_pkey"/, 'number_taken'],
  [/^53100$/, 'storage_full'],
  [/^(53\w{3}|55P03)$/, 'busy'],
  [/^(57014|25P03|25P04)$/, 'timeout'],
  [/^(08\w{3}|28\w{3}|57P\w{2}|58\w{3}|3D000)$/, 'database_unavailable'],
  [/^(TransactionWriteConflict|P2034)$/, 'conflict'],
  [/^(TooManyConnections|P2037|P2024)$/, 'busy'],
  [/^P2028 .*Unable to start a transaction/s, 'busy'],
  [/^P2028 .*expired transaction/s, 'timeout'],
  // A statement came to our adapter after Prisma had undone the transaction, and before it was told so.
  [/^TransactionAlreadyClosed$/, 'timeout'],
  [/^(DatabaseNotReachable|ConnectionClosed|SocketTimeout|TlsConnectionError)$/, 'database_unavailable'],
  [/^(DatabaseDoesNotExist|DatabaseAccessDenied|AuthenticationFailed)$/, 'database_unavailable'],
  [/^(P1\d{3})$/, 'database_unavailable'],
  [/^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH)$/, 'database_unavailable'],
  [/^(timeout exceeded when trying to connect|Too many large results are being received)$/, 'busy'],
  [/^Query read timeout$/, 'timeout'],
  [
    /^(Connection terminated|Client has encountered a connection error|Cannot use a pool after)/,
    'database_unavailable',
  ],
];

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
 * A commit group of SQLite was rolled back because one of its members, or the disk, failed. Wraps the cause. A transaction
 * that was not at fault succeeds when repeated, so `retry` repeats it.
 */
export class GroupLostError extends DriverAdapterError {}

/** The number of attempts, including the first: on one machine, and where transactions undo each other more often. */
const attemptsOf = { postgresql: 6, distributed: 20 };

/** Milliseconds of the longest pause. */
const longestPause = 320;

/**
 * The result of `work`, which is repeated when the database rolled it back because of another transaction: a
 * serialization failure or deadlock on PostgreSQL (40001, 40P01, P2034), a lost commit group on SQLite. At most six
 * attempts, with the profile `distributed` twenty, with random pauses of up to 10, 20, 40 … 320 ms; then it throws the last
 * error.
 */
export async function retry<Result>(work: () => Promise<Result>, profile: Profile = 'postgresql'): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attemptsOf[profile] || !isWorthRepeating(error)) throw error;
    }
    await sleep(Math.random() * Math.min(longestPause, 10 * 2 ** (attempt - 1)));
  }
}

/** Whether the database has rolled the work back because of another transaction. */
export function isWorthRepeating(error: unknown): boolean {
  return isUndoneByOthers(error) || adapterErrorOf(error) instanceof GroupLostError;
}

/** Why the database cannot be used: one line that says what to do. It never contains a password. */
export class DatabaseStartError extends ExplainedError {
  /** Whether it may be over in a moment, because the database cannot be reached or has too much to do. */
  readonly mayPass: boolean;

  constructor(message: string, options: ErrorOptions & { mayPass?: boolean } = {}) {
    super(message, options);
    this.name = 'DatabaseStartError';
    this.mayPass = options.mayPass ?? false;
  }
}

/** Whether another program held a table: PostgreSQL's deadlock_detected and lock_not_available. */
export const isBlocked = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '55P03');

/** The database's own message for `error`, if it has one. */
export function databaseMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (isDriverAdapterError(error) && error.cause.originalMessage) || error.message;
}

/** As PostgreSQL says it of a write: on a standby, and where transactions were made read-only. Commands that read work there. */
export const readOnlyError = (): Error => Object.assign(new Error('transactions are read-only'), { code: '25006' });

/**
 * A statement that meets a state of a document that is none of the three fails with this mark in its message. The resolvers
 * then answer, which name the record.
 */
const mark = 'unknown_status';

/** SQL that fails with the mark; `column` holds the state, so that it cannot be evaluated in advance. */
export const failingOnStatus = {
  sqlite: (column: string): string => `unknown_status(${column})`,
  postgresql: (column: string): string => `(('${mark}' || left(${column}, 0))::boolean)::text`,
};

/** The SQL function of SQLite, which takes as many arguments as this has parameters. @throws always */
export function unknownStatus(_status: unknown): never {
  throw new Error(mark);
}

export function isUnknownStatus(error: unknown): boolean {
  return error instanceof Error && (error.message.includes(mark) || isUnknownStatus(error.cause));
}
