import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { createAuthenticator } from '../access/authenticator.js';
import { keepLastUse } from '../access/last-use.js';
import type { Identity, RequestContext, WebhookHost } from '../context.js';
import type { Database } from '../database/open-database.js';
import { errors } from '../errors.js';
import { leasesOf } from '../limits/lease.js';
import { type Allowance, createRateLimit } from '../limits/rate-limit.js';
import { type MaybePromise, whenResolved } from '../maybe-promise.js';
import type { ChangeHandlers } from '../model/change.js';
import type { RequestState } from './request-state.js';

/**
 * Authenticates a request and counts it against the key's rate limit; adds the rate-limit headers to the answer. Reads
 * only the headers of the request. @throws what `createAuthenticator` throws, and RATE_LIMITED
 */
export type AuthenticateRequest = (request: IncomingMessage, visit: RequestState) => MaybePromise<RequestContext>;

export interface DoorParts {
  database: Database;
  changes: ChangeHandlers;
  webhooks: WebhookHost;
  log: Logger;
  /** Requests per key and minute; undefined means no limit. */
  rateLimit?: number | undefined;
}

/** Authentication and rate limit for both REST and GraphQL. */
export function createRequestAuthenticator({
  database,
  changes,
  webhooks,
  log,
  rateLimit,
}: DoorParts): AuthenticateRequest {
  const authenticate = createAuthenticator(database, keepLastUse(database, log));
  const count = rateLimit === undefined ? undefined : createRateLimit(rateLimit, leasesOf(database, rateLimit));

  return (request, visit) =>
    whenResolved(authenticate(request.headers.authorization), (identity) => {
      visit.keyId = identity.keyId;
      if (!count) return contextOf(identity, visit);
      return count(identity.keyId).then((allowance) => {
        setRateLimitHeaders(visit, allowance);
        return contextOf(identity, visit);
      });
    });

  function contextOf(identity: Identity, visit: RequestState): RequestContext {
    const { requestId, log, observation } = visit;
    const whenAbandoned = (stop: () => void) => visit.whenAbandoned(stop);
    return { database, changes, webhooks, identity, requestId, log, observation, whenAbandoned };
  }
}

/** Sets the `RateLimit-*` headers of IETF draft 6, which common clients understand. @throws RATE_LIMITED */
function setRateLimitHeaders({ headers }: RequestState, { isAllowed, limit, remaining, reset }: Allowance): void {
  headers.push('RateLimit-Policy', `${limit};w=60`);
  headers.push('RateLimit-Limit', String(limit));
  headers.push('RateLimit-Remaining', String(remaining));
  headers.push('RateLimit-Reset', String(reset));
  if (!isAllowed) throw errors.rateLimited(limit, reset);
}
