import { errors } from '../../model/errors/errors.js';
import { enablement } from './enablement.js';
import { findWebhook, webhookOf } from './find-webhook.js';
import { type Management, requireHost } from './management.js';
import { SigningKeys } from './signing-keys.js';
import type { WebhookWithSecret } from './webhook.js';

/** The longest time for which the keys before a rotation sign too, in seconds: seven days. */
export const longestSecretOverlap = 7 * 24 * 60 * 60;

/**
 * Gives a webhook other signing keys; the old ones sign too for the overlap, unless WEBHOOK_KEY has changed.
 * @throws NOT_FOUND, BAD_USER_INPUT, BAD_REQUEST without webhooks
 */
export async function rotateSecret(
  { database, host }: Pick<Management, 'database' | 'host'>,
  id: string,
  overlapSeconds: number,
): Promise<WebhookWithSecret> {
  const { masterKey } = requireHost(host);
  if (!Number.isInteger(overlapSeconds) || overlapSeconds < 0 || overlapSeconds > longestSecretOverlap) {
    const message = `must be a whole number from 0 to ${longestSecretOverlap}, which is 7 days`;
    throw errors.badInput([{ path: ['overlapSeconds'], code: 'parameter_invalid', message }]);
  }
  return database.transaction(async (tx) => {
    const old = await findWebhook(tx, id);
    const hasOld = new SigningKeys(masterKey, id, old.generation).fingerprint === old.fingerprint;
    const generation = old.generation + 1;
    const keys = new SigningKeys(masterKey, id, generation);
    const row = await tx.webhook.update({
      where: { id },
      data: {
        generation,
        fingerprint: keys.fingerprint,
        overlapUntil: hasOld && overlapSeconds > 0 ? new Date(Date.now() + overlapSeconds * 1000) : null,
        revision: { increment: 1 },
        ...(old.disabledReason === 'secret_changed' ? enablement(old, true) : {}),
      },
    });
    return { webhook: webhookOf(row), secret: keys.reveal(), publicKey: keys.publicKey };
  });
}
