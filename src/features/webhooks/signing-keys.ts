import { createHash, createHmac, createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from 'node:crypto';

/**
 * The two keys that sign what one webhook receives: a secret for HMAC-SHA256 (`v1`), which its receiver shares, and a
 * pair for Ed25519 (`v1a`), of which it needs the public half. Both are derived from the setting WEBHOOK_KEY, the id of
 * the webhook and the number of the rotation, so that the database holds neither.
 */
export class SigningKeys {
  readonly #secret: Buffer;
  readonly #privateKey: KeyObject;
  /** Identifies the secret without revealing it. */
  readonly fingerprint: string;
  /** For `v1a`, such as `whpk_…`. */
  readonly publicKey: string;

  /** `master` is the setting WEBHOOK_KEY; every `generation` has other keys. */
  constructor(master: string, webhookId: string, generation: number) {
    const derive = (purpose: string) =>
      Buffer.from(hkdfSync('sha256', master, webhookId, `webhook ${purpose} ${generation}`, 32));
    this.#secret = derive('secret');
    this.#privateKey = createPrivateKey({ key: privateKeyOf(derive('ed25519')), format: 'der', type: 'pkcs8' });
    this.fingerprint = createHash('sha256').update('fingerprint').update(this.#secret).digest('hex').slice(0, 16);
    const publicKey = createPublicKey(this.#privateKey).export({ format: 'der', type: 'spki' });
    this.publicKey = `whpk_${publicKey.subarray(-32).toString('base64')}`;
  }

  /** The secret as the receiver needs it, `whsec_…`. To be shown once and never logged. */
  reveal(): string {
    return `whsec_${this.#secret.toString('base64')}`;
  }

  /** Both signatures of a message: `v1,… v1a,…`. */
  sign(message: string): string {
    const hmac = createHmac('sha256', this.#secret).update(message).digest('base64');
    return `v1,${hmac} v1a,${sign(null, Buffer.from(message), this.#privateKey).toString('base64')}`;
  }
}

/** An Ed25519 private key in PKCS #8, from its 32 bytes. */
function privateKeyOf(seed: Buffer): Buffer {
  return Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
}
