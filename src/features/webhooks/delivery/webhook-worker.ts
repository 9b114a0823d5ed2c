import type { Journal, JournalEntry, JournalPage } from '../../../change/journal/journal.js';
import type { EntrySource } from '../../../change/journal/journal-state.js';
import { sharedWhileDone } from '../../../common/kept.js';
import type { KeyIdentity } from '../../../gateway/access/authenticator.js';
import type { Metric, OnMeasured } from '../../../gateway/feature.js';
import type { Sender, SendResult } from '../../../gateway/outgoing/sender.js';
import type { SigningKeys } from '../signing-keys.js';
import type { DisabledReason, Webhook } from '../webhook.js';
import {
  type Delivery,
  DeliveryQueue,
  newDelivery,
  nextAttempt,
  pauseForFurther,
  pauseUnmade,
} from './delivery-queue.js';
import { concerns, gapDelivery, gapIn, messageIdOf, messageOf, type ReadPayload, signedHeaders } from './message.js';

export const queueLimits = {
  /** Deliveries that are read ahead of the last one that is settled. */
  open: 500,
  /** Deliveries that wait for another attempt; beyond, nothing more is read. */
  stored: 1000,
  /** Entries read at once. */
  read: 200,
  /** From so many failing documents on, with no success in between, further ones are tried one by one (`Pace`). */
  failingDocuments: 5,
};

export const deliveries: Metric = {
  name: 'records_deliveries_total',
  help: 'Attempts to deliver a message of a webhook, by HTTP status; `0` where there was no answer.',
  labels: ['status'],
};

export const deliverySeconds: Metric = {
  name: 'records_delivery_seconds',
  help: 'Seconds of an attempt to deliver a message of a webhook.',
  kind: 'seconds',
};

/** The most requests of one webhook at the same time. */
export const mostOfWebhook = 8;
/** Requests at the same time beyond the first of each webhook, for all webhooks together. */
export const mostShared = 64;

/**
 * Bounds the requests under way. Every webhook always has one of its own, so that receivers that do not answer, however
 * many, keep no other webhook waiting; more of them come from what all share.
 */
export class ConnectionSlots {
  #shared = mostShared;

  /** Whether a webhook with `underWay` requests may begin another. Each that may is given back by `leave`. */
  enter(underWay: number, most = mostOfWebhook): boolean {
    if (underWay === 0) return true;
    if (underWay >= most || this.#shared === 0) return false;
    this.#shared--;
    return true;
  }

  /** `underWay` is the number of requests that are left. */
  leave(underWay: number): void {
    if (underWay > 0) this.#shared++;
  }
}

/** What the workers of all webhooks share. */
export interface Shared {
  journal: Pick<Journal, 'read' | 'continuationOf'>;
  readPage(after: number): Promise<JournalPage>;
  readPayload: ReadPayload;
  database: EntrySource;
  sender: Sender;
  slots: ConnectionSlots;
  /** Whether this process may still deliver. */
  mayDeliver(): boolean;
  onError(error: unknown): void;
  measure: OnMeasured;
}

/** Reads pages of the journal. Those who ask for the same at the same time share one read. */
export const sharedPages = ({ read }: Pick<Journal, 'read'>): Shared['readPage'] =>
  sharedWhileDone((after: number) => read(after, queueLimits.read));

export interface AttemptMade {
  delivery: Pick<Delivery, 'id' | 'position'>;
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

export class WebhookWorker {
  readonly queue: DeliveryQueue;
  readonly changes: WebhookChanges;
  /** The position in the database. */
  savedPosition: number;
  readonly #pace: Pace;
  readonly #end = new AbortController();
  #underWay = 0;
  #isReading = false;
  #hasNews = false;

  constructor(
    readonly webhook: Webhook,
    /** Those that sign now, the newest first. */
    readonly keys: () => readonly SigningKeys[],
    /** Updated while the webhook is served. */
    public identity: KeyIdentity,
    private readonly shared: Shared,
  ) {
    this.changes = new WebhookChanges(webhook);
    this.queue = new DeliveryQueue(webhook.position, this.changes.deliveries);
    this.savedPosition = webhook.position;
    this.#pace = new Pace(this.queue, this.changes);
  }

  get isIdle(): boolean {
    return this.#underWay === 0;
  }

  /** Ends all requests; nothing more is delivered. */
  close(): void {
    this.#end.abort();
  }

  disable(reason: DisabledReason): void {
    this.changes.disabled ??= { at: new Date(), reason };
    this.close();
  }

  /** Reads what the journal has after the last entry, as far as there is room, and delivers it. */
  async read(): Promise<void> {
    this.#hasNews = true;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#hasNews && this.#pace.hasRoom && !this.#end.signal.aborted) {
        this.#hasNews = false;
        const { entries, isHeld } = await this.shared.readPage(this.queue.readTo);
        if (!isHeld) await this.announceMissing();
        if (this.#end.signal.aborted) return;
        for (const entry of entries) if (entry.position > this.queue.readTo) this.#add(entry);
        // A read may end before its limit, so only one that gives nothing has reached the end.
        if (entries.length > 0) this.#hasNews = true;
        this.deliver();
      }
    } catch (error) {
      this.#hasNews = true;
      this.shared.onError(error);
    } finally {
      this.#isReading = false;
    }
  }

  /**
   * Announces the changes behind the last position that the journal no longer holds, if there are any, and goes on behind
   * them. A journal that does not have the position at all was restored from a backup, and it is unknown which changes
   * were sent since then.
   */
  async announceMissing(): Promise<void> {
    const after = this.queue.readTo;
    const { isHeld, oldest, last } = await this.shared.journal.continuationOf(after);
    if (isHeld) return;
    this.queue.readTo = oldest > after ? oldest : last;
    this.queue.add(gapDelivery(this.webhook.id, after, this.queue.readTo), after);
  }

  /** Begins what is due, as far as connections allow. */
  deliver(): void {
    const { mayDeliver, slots } = this.shared;
    while (!this.#end.signal.aborted && mayDeliver()) {
      if (!slots.enter(this.#underWay, this.#pace.most)) return;
      const delivery = this.#pace.take();
      if (!delivery) return slots.leave(this.#underWay);
      this.#underWay++;
      void this.#attempt(delivery).finally(() => {
        slots.leave(--this.#underWay);
        this.deliver();
        if (this.#hasNews) void this.read();
      });
    }
  }

  #add(entry: JournalEntry): void {
    const { id } = this.webhook;
    const after = this.queue.readTo;
    this.queue.readTo = entry.position;
    if (!concerns(this.webhook, entry)) return;
    const delivery = newDelivery(id, messageIdOf(id, entry.position), entry.position, entry.document.id);
    // The changed values may be large, and no message needs them.
    delivery.entry = { ...entry, changes: [] };
    this.queue.add(delivery, after);
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const { mayDeliver, sender, measure, onError } = this.shared;
    try {
      await this.#findEntry(delivery);
      const message = await messageOf(this.webhook, delivery, this.identity, this.shared);
      if (!message) return this.queue.settle(delivery);
      const at = new Date();
      const headers = signedHeaders(message, this.keys(), at);
      if (!mayDeliver()) return this.queue.release(delivery);
      const { url } = this.webhook;
      const result = await sender.send({ url, headers, body: message.body, signal: this.#end.signal });
      if (result.failure === 'broken_off') return this.queue.release(delivery);
      measure(deliveries, 1, { status: result.status ?? 0 });
      measure(deliverySeconds, result.milliseconds / 1000);
      this.changes.attempts.push({ delivery, at, result });
      this.#judge(delivery, result.status ?? 0);
    } catch (error) {
      delivery.nextAttemptAt = new Date(Date.now() + pauseUnmade(++delivery.unmade));
      this.queue.release(delivery);
      onError(error);
    }
  }

  /** Reads the entry of a delivery from the table. Tests and gaps have none, nor has what the journal no longer holds. */
  async #findEntry(delivery: Delivery): Promise<void> {
    const { id, position } = delivery;
    if (delivery.entry || position === null || gapIn(id)) return;
    const {
      entries: [entry],
    } = await this.shared.journal.read(position - 1, 1);
    if (entry?.position === position) delivery.entry = entry;
  }

  /** A delivery is done, or is attempted again at its time, or its webhook is disabled. */
  #judge(delivery: Delivery, status: number): void {
    const { changes, queue } = this;
    if (status >= 200 && status < 300) {
      changes.failures = 0;
      changes.failingSince = null;
      return queue.settle(delivery);
    }
    if (status === 410) return this.disable('gone');
    const isTest = delivery.position === null;
    if (isTest) return queue.settle(delivery);
    const now = new Date();
    changes.failures++;
    changes.failingSince ??= now;
    delivery.attempts++;
    delivery.firstFailedAt ??= now;
    const next = nextAttempt(delivery.attempts, delivery.firstFailedAt, now);
    if (!next) return this.disable('failing');
    delivery.nextAttemptAt = next;
    queue.postpone(delivery);
  }
}

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
