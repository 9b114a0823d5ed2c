/**
 * Encrypts stored answers. An answer may contain secrets (such as the credential of a provider), so it is encrypted with a
 * key derived from the secret of the caller's API key, which the gateway does not store; for a person, whose tokens come and
 * go, from a secret of the gateway and from who it is.
 */
import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';

const nonceLength = 12;
const tagLength = 16;

/** Encrypts for the holder of one secret. Logging the object reveals neither the secret nor the derived key. */
export class Seal {
  readonly #key: Buffer;
  readonly #hash: string;

  /** `holder` tells apart those for whom the same secret is used. */
  constructor(secret: string, holder = '') {
    this.#hash = hash('sha256', secret);
    this.#key = Buffer.from(hkdfSync('sha256', secret, holder, 'idempotent answers', 32));
  }

  /** Whether its secret is the one with this SHA-256, in hexadecimal. */
  isOf(hash: string): boolean {
    return this.#hash === hash;
  }

  /** Encrypts with AES-256-GCM; the result is nonce, tag and ciphertext. */
  close(text: string): Uint8Array<ArrayBuffer> {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return new Uint8Array(Buffer.concat([nonce, cipher.getAuthTag(), body]));
  }

  /** Decrypts; undefined if the text was encrypted with another secret or has been changed. */
  open(sealed: Uint8Array): string | undefined {
    const nonce = sealed.subarray(0, nonceLength);
    const tag = sealed.subarray(nonceLength, nonceLength + tagLength);
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: tagLength }).setAuthTag(tag);
      const body = decipher.update(sealed.subarray(nonceLength + tagLength));
      return Buffer.concat([body, decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }
}
