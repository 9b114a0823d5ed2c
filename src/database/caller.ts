import { AsyncLocalStorage } from 'node:async_hooks';

/** One request as the database sees it: it has a share of what serves reads, and its reads end with its time. */
export interface Caller {
  /** Calls `stop` when the request's time is over, at once where it is over already. What it returns takes that back. */
  whenOver(stop: () => void): () => void;
}

/**
 * The request on whose behalf Prisma sends a statement, which Prisma itself does not pass on to its adapter. Only what
 * Prisma answers is run within it; what goes past Prisma is given its caller.
 */
export const callers = new AsyncLocalStorage<Caller>();
