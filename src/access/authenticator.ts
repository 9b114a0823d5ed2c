import { timingSafeEqual } from 'node:crypto';
import type { Identity } from '../context.js';
import type { Database } from '../database/open-database.js';
import { errors } from '../errors.js';
import { type MaybePromise, whenResolved } from '../maybe-promise.js';
import { Seal } from '../seal.js';
import { ENVIRONMENT_KEY } from './first-key.js';
import type { NoteUse } from './last-use.js';
import { hashOf, publicIdOf } from './secret.js';

/**
 * Milliseconds for which a key is cached without another look-up, so that a revocation takes effect everywhere within a
 * second.
 */
const CACHED_FOR = 500;
/** The most keys in the cache; the oldest entry makes room. Invalid keys are not cached. */
const BELIEVED_AT_MOST = 1000;

/**
 * Authenticates a request by its `Authorization` header. A cached key is answered synchronously. `noteUse` is called
 * now and then for keys in use. @throws `apiKeyMissing` without `Bearer <key>`; `apiKeyInvalid`, the same for every
 * unknown, expired or revoked key; and errors of the database
 */
export function createAuthenticator(
  database: Database,
  noteUse: NoteUse = () => {},
): (authorization: string | undefined) => MaybePromise<Identity> {
  const believed = new Map<string, { key: MaybePromise<Key | undefined>; until: number }>();

  /** Requests with the same key share one look-up while it is under way. */
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
      until: performance.now() + CACHED_FOR,
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
    return whenResolved(find(secret), usable);
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
