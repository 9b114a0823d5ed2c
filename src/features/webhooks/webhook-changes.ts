import type { Delivery } from './delivery/delivery-queue.js';
import type { SendResult } from './delivery/sender.js';
import type { DisabledReason } from './webhook.js';

export interface AttemptMade {
  delivery: Pick<Delivery, 'messageId' | 'position'>;
  at: Date;
  result: SendResult;
}

/** What has become of a webhook's deliveries since it was last written to the database. */
export class WebhookChanges {
  attempts: AttemptMade[] = [];
  /** Deliveries to be stored, or undefined for those to be deleted, by message id. */
  readonly deliveries = new Map<string, Delivery | undefined>();
  /** Attempts in a row that have failed. */
  failures: number;
  failingSince: Date | null;
  disabled: { at: Date; reason: DisabledReason } | undefined;
  /** Whether that is written. */
  isDisabled = false;

  constructor({ failures, failingSince }: Pick<WebhookChanges, 'failures' | 'failingSince'>) {
    this.failures = failures;
    this.failingSince = failingSince;
  }

  get isUrgent(): boolean {
    return this.attempts.length > 0 || this.deliveries.size > 0 || this.disabled !== undefined;
  }

  /** Takes what is to be written; `putBack` returns it if that failed. */
  take() {
    const { attempts, failures, failingSince, disabled } = this;
    const taken = { attempts, deliveries: new Map(this.deliveries), failures, failingSince, disabled };
    this.attempts = [];
    this.deliveries.clear();
    return taken;
  }

  putBack({ attempts, deliveries }: Pick<ReturnType<WebhookChanges['take']>, 'attempts' | 'deliveries'>): void {
    this.attempts = [...attempts, ...this.attempts];
    for (const [id, delivery] of deliveries) if (!this.deliveries.has(id)) this.deliveries.set(id, delivery);
  }
}
