import { timingSafeEqual } from 'node:crypto';
import type { Identity } from '../../change/context.js';
import { type MaybePromise, whenResolved } from '../../common/maybe-promise.js';
import { Seal } from '../../common/seal.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Database } from '../../database/open-database.js';
import { errors } from '../../model/errors/errors.js';
import { ENVIRONMENT_KEY } from './first-key.js';
import type { NoteUse } from './last-use.js';
import { hashOf, publicIdOf } from './secret.js';
import { dateOf } from './stored-date.js';

/**
 * Milliseconds for which a key is cached without another look-up, so that a revocation takes effect everywhere within a
 * second.
 */
const CACHED_FOR = 500;
/** And for which others wait for a look-up under way before they begin another: its connection may have been lost. */
const AWAITED_FOR = 5_000;
/** The most keys in the cache; the oldest entry makes room. Invalid keys are not cached. */
const MOST_CACHED = 1000;

/**
 * Who sends a request, at the moment of the call. A cached key is answered synchronously. @throws `apiKeyInvalid`, the
 * same for every unknown, expired or revoked key; and errors of the database
 */
export type Identify = () => MaybePromise<Identity>;

/**
 * Authenticates requests by their `Authorization` header. `noteUse` is called now and then for keys in use; `instead` says
 * where else a request may have a key.
 * @throws `apiKeyMissing` without `Bearer <key>`
 */
export function createAuthenticator(
  database: Database,
  noteUse: NoteUse = () => {},
): (authorization: string | undefined, instead?: () => string | undefined) => Identify {
  const cached = new Map<string, CachedKey>();

  /** Requests with the same key share one look-up while it is under way. */
  function find(secret: string, hash: string): MaybePromise<Key | undefined> {
    const known = cached.get(hash);
    const age = known ? performance.now() - known.since : Number.POSITIVE_INFINITY;
    if (known && age < CACHED_FOR) return known.key;
    // It may have read the key before a revocation, so when it is answered, all that wait for it share another one.
    if (known?.key instanceof Promise && age < AWAITED_FOR) return known.key.then(() => find(secret, hash));

    const key = lookUp(database, secret, hash).then((found) => {
      if (found) noteUse(found.identity.keyId, found.lastUsedAt);
      return found;
    });
    const entry: CachedKey = { key, since: performance.now() };
    cached.delete(hash);
    cached.set(hash, entry);
    for (const oldest of cached.keys()) {
      if (cached.size <= MOST_CACHED) break;
      cached.delete(oldest);
    }
    const forget = () => cached.get(hash) === entry && cached.delete(hash);
    key.then((found) => {
      if (found) entry.key = found;
      else forget();
    }, forget);
    return key;
  }

  return (authorization, instead) => {
    const secret = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (!secret) throw errors.apiKeyMissing(instead?.());
    const hash = hashOf(secret);
    return () => whenResolved(find(secret, hash), (key) => usable(key, secret));
  };
}

function usable(key: Key | undefined, secret: string): Identity {
  const expiresAt = key?.identity.expiresAt;
  if (!key || (expiresAt && expiresAt.getTime() <= Date.now())) throw errors.apiKeyInvalid(/^["'<{$%]/.test(secret));
  return key.identity;
}

interface Key {
  identity: Identity;
  lastUsedAt: Date | null;
}

interface CachedKey {
  key: MaybePromise<Key | undefined>;
  since: number;
}

/** Without Prisma, because many processes would load it for nothing else. */
async function lookUp(database: Database, secret: string, hash: string): Promise<Key | undefined> {
  if (!database.read) throw new Error('Keys are looked up outside of transactions');
  const found = await database.read(
    candidates[database.provider],
    [publicIdOf(secret) ?? ENVIRONMENT_KEY, ENVIRONMENT_KEY],
    'bounded',
  );
  const row = found.find(([, stored]) => sameHash(String(stored), hash));
  if (!row) return undefined;
  const [keyId, , name, scopes, expiresAt, lastUsedAt] = row;
  const identity = {
    keyId: String(keyId),
    name: String(name),
    scopes: Object.freeze(String(scopes).split(' ')),
    expiresAt: dateOf(expiresAt) ?? undefined,
    seal: new Seal(secret),
  };
  return { identity: Object.freeze(identity), lastUsedAt: dateOf(lastUsedAt) };
}

const candidatesWith = (one: string, other: string) =>
  `SELECT "id", "hash", "name", "scopes", CAST("expiresAt" AS TEXT), CAST("lastUsedAt" AS TEXT) FROM "ApiKey"
   WHERE "id" IN (${one}, ${other}) AND "revokedAt" IS NULL`;
const candidates: Record<Provider, string> = {
  sqlite: candidatesWith('?1', '?2'),
  postgresql: candidatesWith('$1', '$2'),
};

function sameHash(stored: string, given: string): boolean {
  const [left, right] = [Buffer.from(stored, 'hex'), Buffer.from(given, 'hex')];
  return left.length === right.length && timingSafeEqual(left, right);
}
