/** Which keys are still valid, for streams and webhooks, which outlive a request. */
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Database } from '../../database/open-database.js';
import { dateOf } from './stored-date.js';

/**
 * The stored SHA-256 of each valid key among those with these ids, by id. Without Prisma, which would be loaded for
 * this alone when the first streams are open, and would hold up requests for hundreds of milliseconds.
 */
export async function validHashes(
  { provider, read }: Pick<Database, 'provider' | 'read'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (!read) throw new Error('Keys are looked up outside of transactions');
  const now = Date.now();
  const found = await read(notRevoked[provider], [JSON.stringify(ids)], 'bounded');
  return new Map(
    found.flatMap(([id, hash, expiresAt]) =>
      (dateOf(expiresAt)?.getTime() ?? Number.POSITIVE_INFINITY) > now ? [[String(id), String(hash)] as const] : [],
    ),
  );
}

const notRevokedIn = (ids: string) =>
  `SELECT "id", "hash", CAST("expiresAt" AS TEXT) FROM "ApiKey" WHERE "id" IN (SELECT ${ids}) AND "revokedAt" IS NULL`;
const notRevoked: Record<Provider, string> = {
  sqlite: notRevokedIn('"value" FROM json_each(?1)'),
  postgresql: notRevokedIn('jsonb_array_elements_text($1::jsonb)'),
};
