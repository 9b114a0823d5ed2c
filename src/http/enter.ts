import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { createAuthenticator } from '../access/authenticate.js';
import { keepLastUse } from '../access/last-use.js';
import type { Identity, RequestContext } from '../context.js';
import type { Database } from '../database/open.js';
import { errors } from '../errors.js';
import { lenderOf } from '../limits/lend.js';
import { type Allowance, createRateLimit } from '../limits/rate-limit.js';
import { type MaybePromise, whenThere } from '../when-there.js';
import type { Visit } from './visit.js';

/**
 * The context of a request whose key is good and has requests left; throws what `createAuthenticator` throws, and
 * RATE_LIMITED. Reads nothing but a header, and says on the answer how many requests are left.
 */
export type Enter = (request: IncomingMessage, visit: Visit) => MaybePromise<RequestContext>;

/** The one door of both surfaces (document 5). `rateLimit` is the requests a key has per minute; without, any number. */
export function createDoor(database: Database, log: Logger, rateLimit?: number): Enter {
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
    return { database, identity, requestId, log, observation, whenAbandoned };
  }
}

/** Tells in the headers of the IETF's draft 6, which clients know. @throws RATE_LIMITED */
function admit({ headers }: Visit, { isAllowed, limit, remaining, reset }: Allowance): void {
  headers.push('RateLimit-Policy', `${limit};w=60`);
  headers.push('RateLimit-Limit', String(limit));
  headers.push('RateLimit-Remaining', String(remaining));
  headers.push('RateLimit-Reset', String(reset));
  if (!isAllowed) throw errors.rateLimited(limit, reset);
}
