import type { Database } from '../database/open-database.js';
import { hashOf, newSecret } from './secret.js';

/** The id of the key in the setting API_KEY. */
export const ENVIRONMENT_KEY = 'environment';

/** The scopes of the first keys: everything, including the management of keys and webhooks. */
const everything = '* admin webhooks';

/**
 * Makes sure that at least one key is valid; returns the secret of a new key if it made one.
 *
 * The key in the setting API_KEY is valid while the setting names it: starting with another value replaces it, starting
 * without removes it. A revoked value stays revoked at every start. If several processes share a database, the last one
 * to start decides, so give all of them the same value. If there is no key at all, one is created; its secret is
 * returned here and stored nowhere.
 */
export async function ensureFirstKey(database: Database, apiKey: string | undefined): Promise<string | undefined> {
  return database.transaction(async (transaction) => {
    const keys = transaction.apiKey;
    if (apiKey) {
      const hash = hashOf(apiKey);
      const isRevoked = { id: ENVIRONMENT_KEY, hash, revokedAt: { not: null } };
      if ((await keys.count({ where: isRevoked })) > 0) return undefined;
      const set = { hash, name: 'API_KEY', scopes: everything, expiresAt: null, revokedAt: null };
      await keys.upsert({
        where: { id: ENVIRONMENT_KEY },
        create: { id: ENVIRONMENT_KEY, createdAt: new Date(), ...set },
        update: set,
      });
      return undefined;
    }
    await keys.deleteMany({ where: { id: ENVIRONMENT_KEY, revokedAt: null } });
    if ((await keys.count()) > 0) return undefined;
    const { id, secret } = newSecret();
    await keys.create({
      data: { id, name: 'first key', hash: hashOf(secret), scopes: everything, createdAt: new Date() },
    });
    return secret;
  });
}
