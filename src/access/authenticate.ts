import { timingSafeEqual } from 'node:crypto';
import type { Identity } from '../context.js';
import type { Database } from '../database/open.js';
import { errors } from '../errors.js';
import { Seal } from '../seal.js';
import { type MaybePromise, whenThere } from '../when-there.js';
import { ENVIRONMENT_KEY } from './first-key.js';
import type { NoteUse } from './last-use.js';
import { hashOf, publicIdOf } from './secret.js';

/** Milliseconds a key is believed without being looked up again, so that revocation holds everywhere within a second. */
const BELIEVED_FOR = 500;
/** Keys believed at a time; the longest known makes room. Wrong keys are never kept. */
const BELIEVED_AT_MOST = 1000;

/**
 * Tells from the `Authorization` header who is asking (document 5.1). Throws `apiKeyMissing` where there is no
 * `Bearer <key>`, `apiKeyInvalid`, the same for every unknown, expired or revoked key, and whatever the database throws.
 * `noteUse` hears of a good key now and then while it is used. A key that is believed is told at once.
 */
export function createAuthenticator(
  database: Database,
  noteUse: NoteUse = () => {},
): (authorization: string | undefined) => MaybePromise<Identity> {
  const believed = new Map<string, { key: MaybePromise<Key | undefined>; until: number }>();

  /** One look-up answers all who ask with the same key meanwhile. */
  function find(secret: string): MaybePromise<Key | undefined> {
    const hash = hashOf(secret);
    const known = believed.get(hash);
    if (known && performance.now() < known.until) return known.key;

    const key = lookUp(database, secret, hash).then((found) => {
      if (found) noteUse(found.identity.keyId, found.lastUsedAt);
      return found;
    });
    const entry: { key: MaybePromise<Key | undefined>; until: number } = {
      key,
      until: performance.now() + BELIEVED_FOR,
    };
    believed.delete(hash);
    believed.set(hash, entry);
    for (const oldest of believed.keys()) {
      if (believed.size <= BELIEVED_AT_MOST) break;
      believed.delete(oldest);
    }
    const forget = () => believed.get(hash) === entry && believed.delete(hash);
    key.then((found) => {
      if (found) entry.key = found;
      else forget();
    }, forget);
    return key;
  }

  return (authorization) => {
    const secret = /^bearer +([^ ].*)$/i.exec(authorization ?? '')?.[1];
    if (!secret) throw errors.apiKeyMissing();
    return whenThere(find(secret), usable);
  };
}

function usable(key: Key | undefined): Identity {
  if (!key || (key.expiresAt && key.expiresAt.getTime() <= Date.now())) throw errors.apiKeyInvalid();
  return key.identity;
}

interface Key {
  identity: Identity;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

async function lookUp(database: Database, secret: string, hash: string): Promise<Key | undefined> {
  const publicId = publicIdOf(secret);
  const rows = await database.client.apiKey.findMany({
    where: { id: { in: publicId ? [publicId, ENVIRONMENT_KEY] : [ENVIRONMENT_KEY] }, revokedAt: null },
  });
  const row = rows.find((candidate) => sameHash(candidate.hash, hash));
  if (!row) return undefined;
  const { id: keyId, name, scopes } = row;
  const identity = { keyId, name, scopes: Object.freeze(scopes.split(' ')), seal: new Seal(secret) };
  return { identity: Object.freeze(identity), expiresAt: row.expiresAt, lastUsedAt: row.lastUsedAt };
}

function sameHash(stored: string, given: string): boolean {
  const [left, right] = [Buffer.from(stored, 'hex'), Buffer.from(given, 'hex')];
  return left.length === right.length && timingSafeEqual(left, right);
}
