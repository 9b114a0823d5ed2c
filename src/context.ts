import type { Caller } from './database/caller.js';
import type { Database } from './database/open-database.js';
import type { RequestLog } from './log.js';
import type { ChangeHandlers } from './model/change.js';
import type { Observation } from './observation.js';
import type { Seal } from './seal.js';

/** The authenticated API key, without its secret. */
export interface Identity {
  keyId: string;
  name: string;
  /** Such as `*`, `admin` or `accounts:read`. */
  scopes: readonly string[];
  /** Encrypts stored answers so that only this key can read them. */
  seal: Seal;
}

/** What each operation of a request gets, in GraphQL and REST. */
export interface RequestContext {
  database: Database;
  /** The rules and observers of changes. */
  changes: ChangeHandlers;
  identity: Identity;
  /** From `X-Request-Id` or generated; appears in every log line and error of the request. */
  requestId: string;
  log: Pick<RequestLog, 'info' | 'warn' | 'error'>;
  /** Collects what the request's log line reports. */
  observation?: Observation | undefined;
  /** The largest answer in bytes, if smaller than ANSWER_LIMIT. */
  answerLimit?: number;
  /** Counts the values of the answer as resolvers produce them. */
  meter?: { value(): void; error(): void };
  /** Calls `stop` if the client disconnects during a read. */
  whenAbandoned?: ((stop: () => void) => void) | undefined;
  /** The signal is aborted when the request has been answered with `timeout`, so that the remaining work can stop. */
  deadline?: Caller & { readonly signal: AbortSignal };
}
