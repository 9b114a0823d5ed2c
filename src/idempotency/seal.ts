/**
 * Answers at rest. An answer may hold what may not lie in the database in the clear (the credential of a provider,
 * say), so it is encrypted with a key derived from the caller's API key, which the gateway itself does not keep.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const nonceLength = 12;
const tagLength = 16;

/** AES-256-GCM: nonce, tag and ciphertext in one. */
export function seal(text: string, secret: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return new Uint8Array(Buffer.concat([nonce, cipher.getAuthTag(), body]));
}

/** @throws where it was sealed with another secret or has been changed. */
export function unseal(sealed: Uint8Array, secret: string): string {
  const nonce = sealed.subarray(0, nonceLength);
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), nonce);
  decipher.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength));
  return decipher.update(sealed.subarray(nonceLength + tagLength), undefined, 'utf8') + decipher.final('utf8');
}

const keyOf = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'idempotent answers', 32));
