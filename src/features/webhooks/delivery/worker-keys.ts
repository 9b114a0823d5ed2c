import { SigningKeys } from '../signing-keys.js';
import type { Webhook } from '../webhook.js';

/**
 * The keys that sign the messages of a webhook: while they are rotated also those before. Undefined if WEBHOOK_KEY is
 * another than when the secret was made.
 */
export function signingKeysOf(
  { id, generation, fingerprint, overlapUntil }: Webhook,
  masterKey: string,
): (() => readonly SigningKeys[]) | undefined {
  const newest = new SigningKeys(masterKey, id, generation);
  if (newest.fingerprint !== fingerprint) return undefined;
  const before = overlapUntil ? new SigningKeys(masterKey, id, generation - 1) : undefined;
  return () => (before && overlapUntil && overlapUntil.getTime() > Date.now() ? [newest, before] : [newest]);
}
