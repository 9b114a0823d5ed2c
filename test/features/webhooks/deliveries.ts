import type { Delivery } from '../../../src/features/webhooks/delivery/delivery-queue.js';
import { notAttempted } from '../../../src/features/webhooks/delivery/new-delivery.js';

/** A delivery for a document that was never attempted and is due at once. Without a position it is a test message. */
export const deliveryOf = (document: string, more: Partial<Delivery> = {}): Delivery => ({
  messageId: `msg_${more.position ?? document}`,
  position: undefined,
  document,
  entry: undefined,
  ...notAttempted,
  ...more,
});
