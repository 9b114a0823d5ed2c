import type { Database } from '../database/open.js';
import { hashOf, newSecret } from './secret.js';

/** The id of the one key that the setting API_KEY names. */
export const ENVIRONMENT_KEY = 'environment';

/** Both first keys can do everything there is, making other keys included. */
const everything = '* admin';

/**
 * Makes sure that some key opens the gateway, and returns the secret of the key it made, if it made one.
 *
 * The key of the setting API_KEY opens for as long as the setting names it: a start with another value replaces it, a
 * start without takes it away. A value that was revoked stays so, however often the gateway is started with it. Of
 * several processes on one database the last to start decides, so give all of them the same. Where no key is left at
 * all, one is made; its secret is returned here and kept nowhere.
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
