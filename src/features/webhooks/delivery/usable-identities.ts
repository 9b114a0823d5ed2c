import type { TransactionClient } from '../../../database/open-database.js';
import type { WebhookIdentity } from './message.js';

/** The keys of these ids that are neither revoked nor expired. */
export async function usableIdentities(
  client: TransactionClient,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, WebhookIdentity>> {
  const rows = await client.apiKey.findMany({
    where: {
      id: { in: [...new Set(keyIds)] },
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
    },
  });
  return new Map(rows.map(({ id, name, scopes }) => [id, { keyId: id, name, scopes: scopes.split(' ') }]));
}
