import type { Allowance } from '../../change/context.js';
import { sharedWhileDone } from '../../common/kept.js';
import type { Database, TransactionClient } from '../../database/open-database.js';
import { errors } from '../../model/errors/errors.js';
import { isPerson } from '../../model/scopes.js';

/** A share of a key's requests that this process may let through without asking the database again. */
export interface Lease {
  granted: number;
  /** Requests granted to all processes this minute, including this lease. */
  used: number;
  /** Milliseconds until the minute ends. */
  ends: number;
}

/** Grants up to `wanted` of a key's requests in this minute; 0 when they are used up. */
export type AcquireLease = (keyId: string, wanted: number) => Promise<Lease>;

/** Each lease is this share of what is left, so that processes share the last requests of a minute one by one. */
const shareOfRest = 1 / 20;

/**
 * Allows at most `limit` requests per key in each minute of the clock. A process acquires leases ahead of use, so that
 * few requests wait for the database and the limit still holds for all processes together. What counts one request throws what
 * `acquire` throws.
 */
export function createRateLimit(limit: number, acquire: AcquireLease) {
  const minutes = new Map<string, Minute>();

  /** Requests that wait for a lease at the same time share one. */
  const acquireOnce = sharedWhileDone(async (keyId: string): Promise<Minute> => {
    const known = minutes.get(keyId);
    const used = known && performance.now() < known.ends ? known.used : 0;
    const lease = await acquire(keyId, Math.max(1, Math.floor((limit - used) * shareOfRest)));
    // If nothing is granted, nothing is left, even if the store of leases has another limit.
    const minute = {
      left: lease.granted,
      used: lease.granted === 0 ? Math.max(limit, lease.used) : lease.used,
      ends: performance.now() + lease.ends,
    };
    minutes.set(keyId, minute);
    return minute;
  });

  return async (keyId: string): Promise<Allowance> => {
    for (;;) {
      let minute = minutes.get(keyId);
      const isOver = !minute || performance.now() >= minute.ends;
      if (!minute || isOver || (minute.left === 0 && minute.used < limit)) minute = await acquireOnce(keyId);
      const reset = Math.max(1, Math.ceil((minute.ends - performance.now()) / 1000));
      if (minute.left > 0) {
        minute.left--;
        return { isAllowed: true, limit, remaining: minute.left + Math.max(0, limit - minute.used), reset };
      }
      if (minute.used >= limit) return { isAllowed: false, limit, remaining: 0, reset };
    }
  };
}

interface Minute {
  /** Requests left of the lease. */
  left: number;
  used: number;
  /** A time of `performance.now()`. */
  ends: number;
}

const minute = 60_000;

/**
 * The store of the rate limit: on PostgreSQL a table that all processes share, by the database's clock; on SQLite the
 * memory of the primary process, if there are workers, which `ofWorkers` asks; otherwise that of this process, which grants
 * itself the whole limit.
 */
export function leasesOf(
  { provider, client }: Pick<Database, 'provider' | 'client'>,
  limit: number,
  ofWorkers?: AcquireLease,
): AcquireLease {
  if (provider === 'postgresql') return (keyId, wanted) => lendShared(client, limit, keyId, wanted);
  if (ofWorkers) return ofWorkers;
  return async () => ({ granted: limit, used: limit, ends: minute - (Date.now() % minute) });
}

async function lendShared(client: TransactionClient, limit: number, keyId: string, wanted: number): Promise<Lease> {
  const [row] = await client.$queryRaw<{ used: number; ends: number }[]>`
    INSERT INTO "RateWindow" AS known ("keyId", "minute", "used")
    VALUES (${keyId}, floor(extract(epoch FROM clock_timestamp()) / 60), ${wanted})
    ON CONFLICT ("keyId") DO UPDATE SET
      "minute" = excluded."minute",
      "used" = excluded."used" + CASE WHEN known."minute" = excluded."minute" THEN known."used" ELSE 0 END
    RETURNING "used", (${minute} - extract(epoch FROM clock_timestamp()) * 1000 % ${minute})::float8 AS "ends"`;
  if (!row) throw new Error('An upsert returns its row');
  const granted = Math.min(wanted, Math.max(0, limit - (row.used - wanted)));
  return { granted, used: row.used, ends: row.ends };
}

/** Adds the `RateLimit-*` headers of IETF draft 6, which common clients understand, to the answer. @throws RATE_LIMITED */
export function addAllowance(
  headers: string[],
  { isAllowed, limit, remaining, reset }: Allowance,
  keyId: string,
): void {
  headers.push('RateLimit-Policy', `${limit};w=60`);
  headers.push('RateLimit-Limit', String(limit));
  headers.push('RateLimit-Remaining', String(remaining));
  headers.push('RateLimit-Reset', String(reset));
  if (!isAllowed) throw errors.rateLimited(limit, reset, isPerson(keyId));
}
