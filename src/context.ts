import type { Logger } from 'pino';
import type { Database } from './database/open.js';

/** Who is asking: an API key, never its secret. */
export interface Identity {
  keyId: string;
  name: string;
  /** `*`, `admin`, `<area>:read` … */
  scopes: readonly string[];
}

/** What every operation of one request, GraphQL or REST, is given. */
export interface RequestContext {
  database: Database;
  identity: Identity;
  /** Taken from `X-Request-Id` or made; stands in every log line and error of the request. */
  requestId: string;
  log: Logger;
  /** Aborted when the request's time is over and it has been answered so; whatever is left to do is not worth doing. */
  signal?: AbortSignal;
}
