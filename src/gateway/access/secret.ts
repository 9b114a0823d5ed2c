/**
 * The secrets of API keys: `brg_<12 public characters>_<52 secret characters>`, in lower-case Crockford base32. The
 * public prefix is the key's id, which may appear in logs. The rest encodes 32 random bytes. Only the SHA-256 of the
 * secret is stored; with so many random bits no slow hash is needed.
 */
import { hash, randomBytes } from 'node:crypto';

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
