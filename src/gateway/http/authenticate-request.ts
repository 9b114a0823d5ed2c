import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Arrival } from '../../change/arrival.js';
import type { Allowance, KeyLimits } from '../../change/context.js';
import { type MaybePromise, whenResolved } from '../../common/maybe-promise.js';
import type { Database } from '../../database/open-database.js';
import type { ChangeHandlers } from '../../model/change.js';
import { errors } from '../../model/errors/errors.js';
import { createAuthenticator, type Identify, keepLastUse } from '../access/authenticator.js';
import { type AcquireLease, createRateLimit, leasesOf } from '../limits/rate-limit.js';
import { Deadline } from './deadline.js';
import type { RequestState } from './visit.js';

/**
 * Authenticates a request and counts it against the key's rate limit, once; adds the rate-limit headers to the answer.
 * Reads only the headers of the request. The time it takes counts against REQUEST_TIMEOUT: the arrival has what is left of
 * it. @throws what `createAuthenticator` throws, RATE_LIMITED, and `timeout`
 */
export type AuthenticateRequest = (request: IncomingMessage, visit: RequestState) => MaybePromise<Arrival>;

export interface AuthenticationParts {
  database: Database;
  changes: ChangeHandlers;
  /** Stands for the gateway in contexts. */
  gateway: object;
  limits: KeyLimits;
  /** Without it answers name paths. */
  publicUrl?: string | undefined;
  log: Logger;
  /** Requests per key and minute; undefined means no limit. */
  rateLimit?: number | undefined;
  /** Counts them for all workers, where the database does not. */
  lease?: AcquireLease | undefined;
  /** Milliseconds a request may take without the time in which its body is read. */
  requestTimeout: number;
}

/** Authentication and rate limit for both REST and GraphQL. */
export function createRequestAuthenticator({
  database,
  changes,
  gateway,
  limits,
  publicUrl,
  log,
  rateLimit,
  lease,
  requestTimeout,
}: AuthenticationParts): AuthenticateRequest {
  const authenticate = createAuthenticator(database, keepLastUse(database, log));
  const count = rateLimit === undefined ? undefined : createRateLimit(rateLimit, leasesOf(database, rateLimit, lease));

  return (request, visit) => {
    const identify = authenticate(request.headers.authorization, () => misplacedKey(request));
    const entering = whenResolved(identify(), ({ keyId }) => {
      visit.keyId = keyId;
      if (!count) return arrivalOf({ keyId, identify }, visit);
      return count(keyId).then((allowance) => {
        setRateLimitHeaders(visit, allowance);
        return arrivalOf({ keyId, identify }, visit, allowance);
      });
    });
    // A key that is cached takes no time.
    return entering instanceof Promise ? inTime(entering) : entering;
  };

  /** Stops waiting when the time is over. A look-up that other requests share goes on. */
  async function inTime(entering: Promise<Arrival>): Promise<Arrival> {
    const startedAt = performance.now();
    const deadline = new Deadline(undefined);
    deadline.begin(requestTimeout);
    try {
      const arrival = await deadline.resultInTime(entering);
      return { ...arrival, timeLeft: Math.max(0, requestTimeout - (performance.now() - startedAt)) };
    } finally {
      deadline.lift();
    }
  }

  function arrivalOf(
    sender: { keyId: string; identify: Identify },
    visit: RequestState,
    allowance?: Allowance,
  ): Arrival {
    const { requestId, log, observation } = visit;
    const whenAbandoned = (stop: () => void) => visit.whenAbandoned(stop);
    return {
      database,
      changes,
      gateway,
      ...sender,
      allowance,
      limits,
      publicUrl,
      requestId,
      log,
      observation,
      whenAbandoned,
    };
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

/** How a request without a usable `Authorization` seems to send its key. The key itself is never repeated. */
function misplacedKey({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): string | undefined {
  const { authorization } = headers;
  if (authorization) {
    if (/^bearer *$/i.test(authorization)) return 'behind `Bearer` there is none';
    if (/^bearer +\S+\s/i.test(authorization)) return 'behind `Bearer` belongs one key, and nothing else';
    if (/^basic /i.test(authorization)) return '`Basic` is not taken, because a key has no user';
    return 'the word `Bearer` and a space belong before it';
  }
  const header = keyHeaders.find((name) => headers[name] !== undefined);
  if (header) return `the header \`${header}\` is not read`;
  if (!/[?&](api[-_]?key|apikey|access[-_]?token|token|key|authorization)=/i.test(url)) return undefined;
  return 'not in the address, which proxies and browsers write down: a key that was sent there should be replaced';
}

const keyHeaders = ['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token', 'cookie'];
