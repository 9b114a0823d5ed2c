import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Identity } from '../../change/context.js';
import { instant } from '../../change/journal/entry.js';
import { type Current, WeighedCache } from '../../common/kept.js';
import { type MaybePromise, whenResolved } from '../../common/maybe-promise.js';
import { Seal } from '../../common/seal.js';
import type { Procedure, Statement } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Database } from '../../database/open-database.js';
import { StatementBuilder } from '../../database/statement-builder.js';
import { errors } from '../../model/errors/errors.js';
import { encodeBytes, newShortId } from '../../model/ids.js';
import { type CurrentGrants, grantedToKey } from './grants.js';

// Which keys are still valid, for streams and webhooks, which outlive a request.

/** The valid keys among those with these ids, by id, with what their roles give them now. */
export async function validKeys(
  database: Pick<Database, 'provider' | 'read'>,
  ids: readonly string[],
  grants: CurrentGrants,
): Promise<ReadonlyMap<string, KeyIdentity & { hash: string }>> {
  const keys = (await keysWith(database, ids)).filter(isUsable);
  return new Map(keys.map((key) => [key.identity.keyId, { ...identityOf(key, grants.value), hash: key.hash }]));
}

/** Who a key is, apart from its secret. */
export type KeyIdentity = Omit<Identity, 'seal'>;

/** What is stored of those keys among these that are not revoked. */
async function keysWith({ provider, read }: Pick<Database, 'provider' | 'read'>, ids: readonly string[]) {
  // Without Prisma: many processes would load it for nothing else, which would hold up requests for hundreds of milliseconds.
  if (!read) throw new Error('Keys are looked up outside of transactions');
  const found = await read(notRevoked[provider], [JSON.stringify(ids)], 'bounded');
  return found.map(([keyId, hash, name, scopes, expiresAt, lastUsedAt, roles, claims]) => ({
    identity: {
      keyId: String(keyId),
      name: String(name),
      expiresAt: dateOf(expiresAt) ?? undefined,
    },
    hash: String(hash),
    lastUsedAt: dateOf(lastUsedAt),
    stored: { scopes, roles, claims },
  }));
}

type FoundKey = Awaited<ReturnType<typeof keysWith>>[number];

/** Who a key is, with what its roles give it. */
const identityOf = ({ identity, stored }: FoundKey, current: CurrentGrants['value']): KeyIdentity => ({
  ...identity,
  ...grantedToKey(identity.keyId, stored, current),
});

const notRevokedIn = (ids: string) =>
  `SELECT "id", "hash", "name", "scopes", CAST("expiresAt" AS TEXT), CAST("lastUsedAt" AS TEXT), "roles", "claims" FROM "ApiKey"
   WHERE "id" IN (SELECT ${ids}) AND "revokedAt" IS NULL`;
const notRevoked: Record<Provider, string> = {
  sqlite: notRevokedIn('"value" FROM json_each(?1)'),
  postgresql: notRevokedIn('jsonb_array_elements_text($1::jsonb)'),
};

/** Called with a key that is neither revoked nor expired, and its last stored use. */
type NoteUse = (keyId: string, lastUsedAt: Date | null) => void;

/** Milliseconds between two writes for the same key. */
const writtenEvery = 60_000;
/** Milliseconds before a write, so that the request that used the key is answered first. */
const writtenAfter = 1_000;

/**
 * Stores when a key was last used: at most once a minute for all processes together, and never while a request waits
 * for it. A failed write is dropped; the next minute brings another.
 */
export function keepLastUse(
  { perform, provider }: Pick<Database, 'perform' | 'provider'>,
  log: Pick<Logger, 'debug'>,
  after = writtenAfter,
): NoteUse {
  /** When this process last tried to write for each key. */
  const tried = new Map<string, number>();

  const write = async (id: string, at: Date) => {
    await sleep(after, undefined, { ref: false });
    const long = new Date(at.getTime() - writtenEvery);
    await perform(function* () {
      const update = new StatementBuilder(provider);
      const sql = `UPDATE "ApiKey" SET "lastUsedAt" = ${update.bind(at)}
        WHERE "id" = ${update.bind(id)} AND ("lastUsedAt" IS NULL OR "lastUsedAt" < ${update.bind(long)})`;
      yield { ...update.statement(sql), isWhole: true, callsNoListeners: true };
    });
  };

  return (keyId, lastUsedAt) => {
    const now = Date.now();
    if (now - Math.max(lastUsedAt?.getTime() ?? 0, tried.get(keyId) ?? 0) < writtenEvery) return;
    tried.set(keyId, now);
    write(keyId, new Date(now)).catch((err: unknown) =>
      log.debug({ err, keyId }, 'The last use of a key could not be stored'),
    );
  };
}

/**
 * Milliseconds for which a key is cached without another look-up, so that a revocation takes effect everywhere within a
 * second.
 */
const CACHED_FOR = 500;
/** And for which others wait for a look-up under way before they begin another: its connection may have been lost. */
const AWAITED_FOR = 5_000;
/** The most keys in the cache. Invalid keys are not cached. */
const MOST_CACHED = 1000;

/**
 * Who sends a request, at the moment of the call. A cached key is answered synchronously. @throws `apiKeyInvalid`, the
 * same for every unknown, expired or revoked key; and errors of the database
 */
export type Identify = () => MaybePromise<Identity>;

/** Says who sends a request with a text that `isToken`. */
export type IdentifyToken = (token: string) => Identify;

/** Whether it has the form of a JWT: three parts, of which the last, its signature, may be missing. */
export const isToken = (text: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text);

/**
 * Authenticates requests by their `Authorization` header. `noteUse` is called now and then for keys in use. `grants` says what
 * keys with roles may do; without `identifyToken` a token is an unknown key.
 * @throws `apiKeyMissing` without `Bearer <key>`
 */
export function createAuthenticator(
  database: Database,
  noteUse: NoteUse,
  grants: CurrentGrants,
  identifyToken?: IdentifyToken,
): (request: Pick<IncomingMessage, 'headers' | 'url'>) => Identify {
  const cached = new WeighedCache<CachedKey>(MOST_CACHED, () => 1);

  /** Requests with the same key share one look-up while it is under way. */
  function find(secret: string, hash: string): MaybePromise<Key | undefined> {
    const known = cached.get(hash);
    const age = known ? performance.now() - known.since : Number.POSITIVE_INFINITY;
    if (known && age < CACHED_FOR) return known.key;
    // It may have read the key before a revocation, so when it is answered, all that wait for it share another one.
    if (known?.key instanceof Promise && age < AWAITED_FOR) return known.key.then(() => find(secret, hash));

    const key = lookUp(database, grants, secret, hash).then((found) => {
      if (isUsable(found)) noteUse(found.identity.keyId, found.lastUsedAt);
      return found;
    });
    const entry: CachedKey = { key, since: performance.now() };
    cached.set(hash, entry);
    const forget = () => cached.get(hash) === entry && cached.delete(hash);
    key.then((found) => {
      if (found) entry.key = found;
      else forget();
    }, forget);
    return key;
  }

  return (request) => {
    const secret = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (!secret) throw errors.apiKeyMissing(misplacedKey(request), identifyToken !== undefined);
    if (identifyToken && isToken(secret)) return identifyToken(secret);
    const hash = hashOf(secret);
    return () =>
      whenResolved(find(secret, hash), (key) => {
        if (isUsable(key)) return key.now.value;
        throw errors.apiKeyInvalid(/^["'<{$%]/.test(secret));
      });
  };
}

/** How a request without a usable `Authorization` seems to send its key. The key itself is never repeated. */
function misplacedKey({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): string | undefined {
  const { authorization } = headers;
  if (authorization) {
    if (/^bearer *$/i.test(authorization)) return 'behind `Bearer` there is none';
    if (/^bearer +\S+\s/i.test(authorization))
      return 'behind `Bearer` belongs one text without spaces, and nothing else';
    if (/^basic /i.test(authorization)) return '`Basic` is not taken, because a key has no user';
    return 'the word `Bearer` and a space belong before it';
  }
  const header = keyHeaders.find((name) => headers[name] !== undefined);
  if (header) return `the header \`${header}\` is not read`;
  if (!/[?&](api[-_]?key|apikey|access[-_]?token|token|key|authorization)=/i.test(url)) return undefined;
  return 'not in the address, which proxies and browsers write down: what was sent there should be replaced';
}

const keyHeaders = ['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token', 'cookie'];

/** Asked at each request, because a key may expire while it is cached. */
const isUsable = <Found extends Pick<FoundKey, 'identity'>>(key: Found | undefined): key is Found =>
  key !== undefined && Number(key.identity.expiresAt ?? Number.POSITIVE_INFINITY) > Date.now();

interface Key extends Pick<FoundKey, 'identity' | 'lastUsedAt'> {
  /** With what its roles give at the moment, and its seal. */
  now: Current<Identity>;
}

interface CachedKey {
  key: MaybePromise<Key | undefined>;
  since: number;
}

async function lookUp(database: Database, grants: CurrentGrants, secret: string, hash: string) {
  const found = await keysWith(database, [publicIdOf(secret) ?? ENVIRONMENT_KEY, ENVIRONMENT_KEY]);
  const key = found.find((each) => sameHash(each.hash, hash));
  if (!key) return undefined;
  const seal = new Seal(secret);
  const now = grants.derive((current) => Object.freeze({ ...identityOf(key, current), seal }));
  return { ...key, now };
}

function sameHash(stored: string, given: string): boolean {
  const [left, right] = [Buffer.from(stored, 'hex'), Buffer.from(given, 'hex')];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The id of the key in the setting API_KEY. */
export const ENVIRONMENT_KEY = 'environment';

/** The id in the public prefix of `secret`; undefined for a secret of another form, which only API_KEY can have. */
export function publicIdOf(secret: string): string | undefined {
  return /^(brg_[0-9a-z]{12})_[0-9a-z]{52}$/.exec(secret)?.[1];
}

/** SHA-256 of the whole secret, in lower-case hexadecimal. */
export function hashOf(secret: string): string {
  return hash('sha256', secret);
}

/** A date of a key as text. One whose expiry cannot be read must not count as one that never expires. @throws as `instant` */
export const dateOf = (text: unknown): Date | null => (text === null ? null : instant(text));

// The secrets of API keys: `brg_<12 public characters>_<52 secret characters>`, in lower-case Crockford base32. The
// public prefix is the key's id, which may appear in logs. The rest encodes 32 random bytes. Only the SHA-256 of the
// secret is stored; with so many random bits no slow hash is needed.

/** Creates a secret and the id of its key. The secret is stored nowhere: show it once. */
export function newSecret(): { id: string; secret: string } {
  const id = newShortId('brg');
  return { id, secret: `${id}_${encodeBytes(randomBytes(32))}` };
}

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
  const { perform, provider } = database;
  return perform(() => (apiKey ? setEnvironmentKey(provider, apiKey) : requireSomeKey(provider)));
}

function* setEnvironmentKey(provider: Provider, apiKey: string): Procedure<undefined> {
  const { sql, values } = insertion(provider, { id: ENVIRONMENT_KEY, name: 'API_KEY', hash: hashOf(apiKey) });
  yield {
    sql: `${sql} ON CONFLICT ("id") DO UPDATE SET
      "hash" = excluded."hash", "name" = excluded."name", "scopes" = excluded."scopes",
      "expiresAt" = NULL, "revokedAt" = NULL
      WHERE "ApiKey"."revokedAt" IS NULL OR "ApiKey"."hash" <> excluded."hash"`,
    values,
    isWhole: true,
  };
  return undefined;
}

function* requireSomeKey(provider: Provider): Procedure<string | undefined> {
  yield { sql: `DELETE FROM "ApiKey" WHERE "id" = '${ENVIRONMENT_KEY}' AND "revokedAt" IS NULL`, values: [] };
  if ((yield { sql: 'SELECT 1 FROM "ApiKey" LIMIT 1', values: [] }).length > 0) return undefined;
  const { id, secret } = newSecret();
  yield insertion(provider, { id, name: 'first key', hash: hashOf(secret) });
  return secret;
}

function insertion(provider: Provider, { id, name, hash }: { id: string; name: string; hash: string }): Statement {
  const insert = new StatementBuilder(provider);
  const values = [id, name, hash, everything, new Date()].map((value) => insert.bind(value));
  return insert.statement(
    `INSERT INTO "ApiKey" ("id", "name", "hash", "scopes", "createdAt") VALUES (${values.join()})`,
  );
}
