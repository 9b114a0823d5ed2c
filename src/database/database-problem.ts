import { type DriverAdapterError, isDriverAdapterError } from '@prisma/driver-adapter-utils';
import type { Unavailability } from '../model/errors/availability-errors.js';

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
