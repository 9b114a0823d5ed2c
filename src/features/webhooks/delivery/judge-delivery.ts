import type { DisabledReason } from '../webhook.js';
import type { WebhookChanges } from '../webhook-changes.js';
import type { Delivery } from './delivery-queue.js';
import { nextAttempt } from './retry-schedule.js';
import type { SendResult } from './sender.js';

/**
 * Judges an attempt and notes what follows for the webhook and the delivery. The delivery is done, is attempted again at
 * its `dueAt`, or is a reason to disable the webhook.
 */
export function judgeDelivery(
  changes: Pick<WebhookChanges, 'failures' | 'failingSince'>,
  delivery: Delivery,
  { status = 0 }: Pick<SendResult, 'status'>,
  now: Date,
): 'done' | 'again' | DisabledReason {
  if (status >= 200 && status < 300) {
    changes.failures = 0;
    changes.failingSince = null;
    return 'done';
  }
  if (status === 410) return 'gone';
  const isTest = delivery.position === undefined;
  if (isTest) return 'done';
  changes.failures++;
  changes.failingSince ??= now;
  delivery.attempts++;
  delivery.firstFailedAt ??= now;
  const next = nextAttempt(delivery.attempts, delivery.firstFailedAt, now);
  if (!next) return 'failing';
  delivery.dueAt = next.getTime();
  return 'again';
}
