import type { Database, TransactionClient } from '../../database/open-database.js';
import type { AcquireLease, Lease } from './rate-limit.js';

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
