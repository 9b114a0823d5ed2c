import { type Delivery, newDelivery } from '../../../src/features/webhooks/delivery/delivery-queue.js';

/** A delivery for a document that was never attempted and is due at once. Without a position it is a test message. */
export const deliveryOf = (document: string, more: Partial<Delivery> = {}): Delivery => ({
  ...newDelivery('wh_test', `msg_${more.position ?? document}`, more.position ?? null, document),
  ...more,
});
