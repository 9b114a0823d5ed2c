import type { Delivery, DeliveryQueue } from './delivery-queue.js';
import { pauseForFurther } from './retry-schedule.js';
import { queueLimits } from './worker-parts.js';

/**
 * Slows a webhook down. If so many documents fail in a row that the receiver must be at fault, mostly failed deliveries
 * are attempted again. One further document is tried now and then, after growing pauses: if only these few are refused,
 * the others need not wait for them.
 */
export class Pace {
  /** Further documents tried since something has succeeded. */
  #tried = 0;
  /** The time of `performance.now()` before which no further one is tried. */
  #nextAt = 0;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly changes: { readonly failures: number },
  ) {}

  /** Whether more may be read from the journal. */
  get hasRoom(): boolean {
    const { openCount, storedCount } = this.queue;
    const { open, stored } = queueLimits;
    return storedCount < stored && (this.#isDown ? openCount === 0 : openCount < open);
  }

  /** Requests at the same time, where they are fewer than usual. */
  get most(): number | undefined {
    return this.#isDown ? 1 : undefined;
  }

  /** The next delivery that may begin now. */
  take(): Delivery | undefined {
    const isDown = this.#isDown;
    if (!isDown) [this.#tried, this.#nextAt] = [0, 0];
    const now = performance.now();
    const delivery = this.queue.take(Date.now(), now < this.#nextAt);
    if (isDown && delivery?.attempts === 0 && !delivery.requestedAt)
      this.#nextAt = now + pauseForFurther(++this.#tried);
    return delivery;
  }

  get #isDown(): boolean {
    const { failingDocuments } = queueLimits;
    return this.changes.failures >= failingDocuments && this.queue.failingCount >= failingDocuments;
  }
}
