import type { Caller } from './database/caller.js';
import type { Database } from './database/open.js';
import type { RequestLog } from './log.js';
import type { Observation } from './observation.js';
import type { Seal } from './seal.js';

/** Who is asking: an API key, never its secret. */
export interface Identity {
  keyId: string;
  name: string;
  /** `*`, `admin`, `<area>:read` … */
  scopes: readonly string[];
  /** Encrypts what is stored for this key alone. */
  seal: Seal;
}

/** What every operation of one request, GraphQL or REST, is given. */
export interface RequestContext {
  database: Database;
  identity: Identity;
  /** Taken from `X-Request-Id` or made; stands in every log line and error of the request. */
  requestId: string;
  log: Pick<RequestLog, 'info' | 'warn' | 'error'>;
  /** Takes what becomes known of the request, for its line in the log. */
  observation?: Observation | undefined;
  /** Bytes its answer may hold, where these are fewer than ANSWER_LIMIT. */
  answerLimit?: number;
  /** Counts the values of the answer while resolvers put it together. */
  meter?: { value(): void };
  /** Calls `stop` if the client goes away while a read is under way. */
  whenAbandoned?: ((stop: () => void) => void) | undefined;
  /** The signal is aborted when the request has been answered for lack of time: what is left to do is not worth doing. */
  deadline?: Caller & { readonly signal: AbortSignal };
}
