import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { createAuthenticator } from '../access/authenticate.js';
import { keepLastUse } from '../access/last-use.js';
import type { Identity, RequestContext } from '../context.js';
import type { Database } from '../database/open.js';
import { errors } from '../errors.js';
import { lenderOf } from '../limits/lend.js';
import { type Allowance, createRateLimit } from '../limits/rate-limit.js';
import type { ChangeHandlers } from '../model/change.js';
import { type MaybePromise, whenThere } from '../when-there.js';
import type { Visit } from './visit.js';

/**
 * Authenticates a request and counts it against the key's rate limit; adds the rate-limit headers to the answer. Reads
 * only the headers of the request. @throws what `createAuthenticator` throws, and RATE_LIMITED
 */
export type Enter = (request: IncomingMessage, visit: Visit) => MaybePromise<RequestContext>;

export interface DoorParts {
  database: Database;
  changes: ChangeHandlers;
  log: Logger;
  /** Requests per key and minute; undefined means no limit. */
  rateLimit?: number | undefined;
}

/** Authentication and rate limit for both REST and GraphQL. */
export function createDoor({ database, changes, log, rateLimit }: DoorParts): Enter {
  const authenticate = createAuthenticator(database, keepLastUse(database, log));
  const count = rateLimit === undefined ? undefined : createRateLimit(rateLimit, lenderOf(database, rateLimit));

  return (request, visit) =>
    whenThere(authenticate(request.headers.authorization), (identity) => {
      visit.keyId = identity.keyId;
      if (!count) return contextOf(identity, visit);
      return count(identity.keyId).then((allowance) => {
        admit(visit, allowance);
        return contextOf(identity, visit);
      });
    });

  function contextOf(identity: Identity, visit: Visit): RequestContext {
    const { requestId, log, observation } = visit;
    const whenAbandoned = (stop: () => void) => visit.whenAbandoned(stop);
    return { database, changes, identity, requestId, log, observation, whenAbandoned };
  }
}

/** Sets the `RateLimit-*` headers of IETF draft 6, which common clients understand. @throws RATE_LIMITED */
function admit({ headers }: Visit, { isAllowed, limit, remaining, reset }: Allowance): void {
  headers.push('RateLimit-Policy', `${limit};w=60`);
  headers.push('RateLimit-Limit', String(limit));
  headers.push('RateLimit-Remaining', String(remaining));
  headers.push('RateLimit-Reset', String(reset));
  if (!isAllowed) throw errors.rateLimited(limit, reset);
}
