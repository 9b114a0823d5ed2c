import { hash, randomBytes } from 'node:crypto';

/** API keys as their administrators see them. */

/** A key without its hash, safe to show. */
export interface ApiKey {
  /** The public prefix of the secret; `environment` for the key in the setting API_KEY. */
  id: string;
  name: string;
  scopes: string[];
  createdAt: Date;
  /** From then on the key is refused. */
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** Accurate to about a minute. */
  lastUsedAt: Date | null;
}

/** A new key. This is the only time its secret is returned. */
export interface CreatedKey {
  apiKey: ApiKey;
  secret: string;
}

export interface Rotation {
  /** Seconds for which the old key stays valid together with the new one; 0 ends it at once. */
  overlapSeconds: number;
  /** When the new key expires: null for never; if left out, when the old key would. */
  expiresAt?: Date | null;
}

/** The input for a new key. */
export interface KeyInput {
  name: string;
  scopes: readonly string[];
  /** Null or left out: the key is valid until it is revoked. */
  expiresAt?: Date | null;
}

/** The state of a key. */
export function stateOf({ revokedAt, expiresAt }: ApiKey, now = Date.now()): 'active' | 'expired' | 'revoked' {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt.getTime() <= now ? 'expired' : 'active';
}

/**
 * The secrets of API keys: `brg_<12 public characters>_<52 secret characters>`, in lower-case Crockford base32. The
 * public prefix is the key's id, which may appear in logs. The rest encodes 32 random bytes. Only the SHA-256 of the
 * secret is stored; with so many random bits no slow hash is needed.
 */

/** Creates a secret and the id of its key. The secret is stored nowhere: show it once. */
export function newSecret(): { id: string; secret: string } {
  const id = `brg_${letters(randomBytes(12))}`;
  return { id, secret: `${id}_${base32(randomBytes(32))}` };
}

/** The id in the public prefix of `secret`; undefined for a secret of another form, which only API_KEY can have. */
export function publicIdOf(secret: string): string | undefined {
  return /^(brg_[0-9a-z]{12})_[0-9a-z]{52}$/.exec(secret)?.[1];
}

/** SHA-256 of the whole secret, in lower-case hexadecimal. */
export function hashOf(secret: string): string {
  return hash('sha256', secret);
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

function letters(bytes: Buffer): string {
  return Array.from(bytes, (byte) => alphabet.charAt(byte & 31)).join('');
}

/** Encodes all bits of `bytes`, five per character, most significant first. */
function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const fives = bits.match(/.{1,5}/g) ?? [];
  return fives.map((five) => alphabet.charAt(Number.parseInt(five.padEnd(5, '0'), 2))).join('');
}

/**
 * A date of a key as text: `2026-01-31T09:30:00.000+00:00` on SQLite, `2026-01-31 09:30:00.5` on PostgreSQL, both in UTC.
 */
export function dateOf(text: unknown): Date | null {
  if (typeof text !== 'string') return null;
  const date = new Date(`${text.slice(0, 23).replace(' ', 'T')}Z`);
  // A key whose expiry cannot be read must not count as one that never expires.
  if (Number.isNaN(date.getTime())) throw new Error('A date of a key has an unknown form');
  return date;
}
