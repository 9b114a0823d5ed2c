import type { SigningKeys } from '../signing-keys.js';
import type { DisabledReason, Webhook } from '../webhook.js';
import { WebhookChanges } from '../webhook-changes.js';
import { type Delivery, DeliveryQueue, nextAttempt, pauseForFurther, pauseUnmade } from './delivery-queue.js';
import type { FeedEntry, JournalFeed } from './journal-feed.js';
import { concerns, gapIn, messageOf, signedHeaders, type WebhookIdentity } from './message.js';
import { gapDelivery, newDelivery } from './new-delivery.js';
import { readNext } from './read-next.js';
import type { SendResult } from './sender.js';
import { deliveries, deliverySeconds, queueLimits, type WorkerParts } from './worker-parts.js';

/** Delivers the messages of one webhook. */
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
    public identity: WebhookIdentity,
    private readonly parts: WorkerParts,
  ) {
    this.queue = new DeliveryQueue(webhook.position);
    this.savedPosition = webhook.position;
    this.changes = new WebhookChanges(webhook);
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
        const { entries, missingUntil } = await readNext(this.parts.feed, this.queue.readTo);
        if (this.#end.signal.aborted) return;
        if (missingUntil !== undefined) this.announceGap(missingUntil);
        for (const entry of entries) this.#add(entry);
        // A read may end before its limit, so only one that gives nothing has reached the end.
        if (entries.length > 0) this.#hasNews = true;
        this.deliver();
      }
    } catch (error) {
      this.#hasNews = true;
      this.parts.onError(error);
    } finally {
      this.#isReading = false;
    }
  }

  /** Makes a delivery due that somebody has asked for, unless it is made and only its note is still to be written. */
  addRequested(delivery: Delivery): void {
    if (!this.changes.deliveries.has(delivery.messageId)) this.queue.addStored(delivery);
  }

  /** Begins what is due, as far as connections allow. */
  deliver(): void {
    while (!this.#end.signal.aborted && this.parts.mayDeliver()) {
      if (!this.parts.slots.enter(this.#underWay, this.#pace.most)) return;
      const delivery = this.#pace.take();
      if (!delivery) return this.parts.slots.leave(this.#underWay);
      this.#underWay++;
      void this.#attempt(delivery).finally(() => {
        this.#underWay--;
        this.parts.slots.leave(this.#underWay);
        this.deliver();
        if (this.#hasNews) void this.read();
      });
    }
  }

  /** Announces that the journal no longer holds what follows, up to a position, and goes on behind it. */
  announceGap(until: number): void {
    const after = this.queue.moveTo(until);
    this.#enqueue(gapDelivery(this.webhook.id, after, until), after);
  }

  #add(entry: FeedEntry): void {
    const after = this.queue.moveTo(entry.position);
    if (concerns(this.webhook, entry)) this.#enqueue(newDelivery(this.webhook.id, entry), after);
  }

  /** Adds what was read after a position, and has it stored if it waits for a delivery that is stored. */
  #enqueue(delivery: Delivery, after: number): void {
    if (this.queue.add(delivery, after)) this.changes.deliveries.set(delivery.messageId, delivery);
  }

  async #attempt(delivery: Delivery): Promise<void> {
    try {
      delivery.entry ??= await entryOf(delivery, this.parts.feed);
      const message = await messageOf(this.webhook, delivery, this.identity, this.parts.readPayload);
      if (!message) return this.#settle(delivery);
      const at = new Date();
      const headers = signedHeaders(message, this.keys(), at);
      if (!this.parts.mayDeliver()) return this.queue.release(delivery);
      const { url } = this.webhook;
      const result = await this.parts.sender.send({ url, headers, body: message.body, signal: this.#end.signal });
      if (result.failure === 'broken_off') return this.queue.release(delivery);
      this.parts.measure?.(deliveries, 1, { status: result.status ?? 0 });
      this.parts.measure?.(deliverySeconds, result.milliseconds / 1000);
      this.changes.attempts.push({ delivery, at, result });
      this.#judge(delivery, result);
    } catch (error) {
      delivery.dueAt = Date.now() + pauseUnmade(++delivery.unmade);
      this.queue.release(delivery);
      this.parts.onError(error);
    }
  }

  #judge(delivery: Delivery, result: SendResult): void {
    const verdict = judgeDelivery(this.changes, delivery, result, new Date());
    if (verdict === 'done') return this.#settle(delivery);
    if (verdict !== 'again') return this.disable(verdict);
    for (const each of this.queue.postpone(delivery)) this.changes.deliveries.set(each.messageId, each);
  }

  #settle(delivery: Delivery): void {
    if (this.queue.settle(delivery)) this.changes.deliveries.set(delivery.messageId, undefined);
  }
}

/** The entry of a delivery that was read from the table; undefined for tests and gaps, and if the journal has it no more. */
async function entryOf(
  { messageId, position }: Delivery,
  feed: Pick<JournalFeed, 'read'>,
): Promise<FeedEntry | undefined> {
  if (position === undefined || gapIn(messageId)) return undefined;
  const [entry] = await feed.read(position - 1, 1);
  return entry?.position === position ? entry : undefined;
}

/**
 * Judges an attempt and notes what follows for the webhook and the delivery. The delivery is done, is attempted again at
 * its `dueAt`, or is a reason to disable the webhook.
 */
function judgeDelivery(
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
