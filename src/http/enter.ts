import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { createAuthenticator } from '../access/authenticate.js';
import { keepLastUse } from '../access/last-use.js';
import type { RequestContext } from '../context.js';
import type { Database } from '../database/open.js';
import { errors } from '../errors.js';
import { lenderOf } from '../limits/lend.js';
import { type Allowance, createRateLimit } from '../limits/rate-limit.js';
import { visitOf } from './observe.js';

/**
 * The context of a request whose key is good and has requests left; throws what `createAuthenticator` throws, and
 * RATE_LIMITED. Reads nothing but a header, and writes on the answer how many requests are left.
 */
export type Enter = (request: IncomingMessage, response: ServerResponse) => Promise<RequestContext>;

/** The one door of both surfaces (document 5). `rateLimit` is the requests a key has per minute; without, any number. */
export function createDoor(database: Database, log: Logger, rateLimit?: number): Enter {
  const authenticate = createAuthenticator(database, keepLastUse(database, log));
  const count = rateLimit === undefined ? undefined : createRateLimit(rateLimit, lenderOf(database, rateLimit));

  return async (request, response) => {
    const visit = visitOf(request);
    const identity = await authenticate(request.headers.authorization);
    visit.keyId = identity.keyId;
    if (count) admit(response, await count(identity.keyId));
    return { database, identity, requestId: visit.requestId, log: visit.log };
  };
}

/** Tells in the headers of the IETF's draft 6, which clients know. @throws RATE_LIMITED */
function admit(response: ServerResponse, { isAllowed, limit, remaining, reset }: Allowance): void {
  response.setHeader('RateLimit-Policy', `${limit};w=60`);
  response.setHeader('RateLimit-Limit', limit);
  response.setHeader('RateLimit-Remaining', remaining);
  response.setHeader('RateLimit-Reset', reset);
  if (!isAllowed) throw errors.rateLimited(limit, reset);
}
