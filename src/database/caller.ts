import { AsyncLocalStorage } from 'node:async_hooks';
import type { SlowestStatement } from './slowest-statement.js';

/**
 * A request as the database sees it: it gets its share of the connections or readers, and its reads stop when its time
 * is over.
 */
export interface Caller {
  /** The API key of the request. Keys take turns, however many requests each of them has. */
  readonly keyId: string | undefined;
  /** Whether its time is over; then nothing more is begun for it. */
  readonly isOver: boolean;
  /** Its statements are noted here, to find which took longest. */
  readonly statements?: SlowestStatement | undefined;
  /**
   * Calls `stop` when the request's time is over, or at once if it already is. The returned function unregisters
   * `stop`.
   */
  whenOver(stop: () => void): () => void;
}

/**
 * The request for which Prisma sends a statement: Prisma cannot pass it to its adapter. Used only around calls of
 * Prisma; direct reads get their caller as a parameter.
 */
export const callers = new AsyncLocalStorage<Caller>();

/**
 * Runs `run` in the name of a request, or of none. Work that waits for its turn is begun when the work of another
 * request ends, and would otherwise run in the name of that request.
 */
export const inNameOf = <Result>(caller: Caller | undefined, run: () => Result): Result =>
  caller ? callers.run(caller, run) : callers.exit(run);
