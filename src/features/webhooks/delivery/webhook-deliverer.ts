import { setTimeout as sleep } from 'node:timers/promises';
import { repeat } from '../../../common/timing.js';
import type { Database, TransactionClient } from '../../../database/open-database.js';
import { createSerialQueue } from '../../../database/queues.js';
import { AddressRules } from '../address-rules.js';
import { enabledWebhooks } from '../find-webhook.js';
import { SigningKeys } from '../signing-keys.js';
import type { Webhook } from '../webhook.js';
import { detectRestored } from './announce-restored.js';
import { DeliveryLease } from './delivery-lease.js';
import type { Delivery } from './delivery-queue.js';
import type { JournalFeed } from './journal-feed.js';
import type { WebhookIdentity } from './message.js';
import { usableIdentities } from './new-delivery.js';
import { missingBehind } from './read-next.js';
import { LeaseLost, saveProgress } from './save-progress.js';
import { ConnectionSlots, createSender } from './sender.js';
import { sharedReads } from './shared-reads.js';
import { WebhookWorker } from './webhook-worker.js';
import { type DeliveryParts, deliveryTimes, type WorkerParts } from './worker-parts.js';

/** Delivers all webhooks for as long as this process has the lease. */
export class WebhookDeliverer {
  readonly #lease: DeliveryLease;
  /** Nothing is written while stored deliveries are read: one might be delivered and deleted in between. */
  readonly #inTurn = createSerialQueue();
  readonly #workers = new Map<string, WebhookWorker>();
  readonly #sender;
  readonly #workerParts: WorkerParts;
  readonly #end = new AbortController();
  readonly #loops: Promise<unknown>;
  #stopListening: (() => void) | undefined;
  #positionsSavedAt = 0;
  #isForeign = false;

  constructor(private readonly parts: DeliveryParts) {
    this.#lease = new DeliveryLease(parts.database);
    this.#sender = createSender(new AddressRules(parts.allowed));
    this.#workerParts = {
      feed: sharedReads(parts.journal),
      sender: this.#sender,
      slots: new ConnectionSlots(),
      readPayload: parts.readPayload,
      mayDeliver: () => this.#lease.isHeld && !this.#end.signal.aborted,
      onError: (error) => this.#warn(error),
      measure: parts.measure,
    };
    this.#loops = Promise.all([
      this.#repeat(() => this.#look(), deliveryTimes.look),
      this.#repeat(() => this.#step(), deliveryTimes.save),
    ]);
  }

  /** Begins no further request, waits a moment for those under way, and leaves the lease to another process. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.#loops;
    const workers = [...this.#workers.values()];
    const until = performance.now() + deliveryTimes.stop;
    while (workers.some(({ isIdle }) => !isIdle) && performance.now() < until) await sleep(20);
    try {
      if (workers.length > 0) await saveProgress(this.parts.database, this.#lease, workers);
    } catch (error) {
      this.#warn(error);
    }
    const wasHeld = this.#lease.isHeld;
    this.#leave();
    this.#sender.close();
    if (wasHeld) await this.#lease.release().catch((error) => this.#warn(error));
  }

  /** Serves the webhooks that are enabled now, as they are now. */
  async #look(): Promise<void> {
    const { database } = this.parts;
    // After a lapse another process may have delivered: everything is read anew.
    if (!this.#lease.isHeld) this.#leave();
    const webhooks = await enabledWebhooks(database.client);
    const revisions = new Map(webhooks.map(({ id, revision }) => [id, revision]));
    for (const [id, worker] of this.#workers) {
      if (revisions.get(id) === worker.webhook.revision) continue;
      worker.close();
      this.#workers.delete(id);
    }
    if (webhooks.length === 0 || this.#hasForeignKey(webhooks) || !(await this.#lease.take())) return this.#leave();
    if (!this.#stopListening) {
      await detectRestored(database);
      this.#stopListening = this.parts.journal.onCommit(() => this.#readAll());
    }
    const identities = await usableIdentities(
      database.client,
      webhooks.map(({ keyId }) => keyId),
    );
    for (const webhook of webhooks) {
      const identity = identities.get(webhook.keyId);
      const known = this.#workers.get(webhook.id);
      if (!known) {
        this.#workers.set(webhook.id, await startWorker(this.parts, this.#workerParts, webhook, identity));
      } else if (identity) known.identity = identity;
      else known.disable('key_ended');
    }
    await this.#inTurn(() => addRequested(database.client, this.#workers), { last: true });
    this.#readAll();
  }

  /** Whether WEBHOOK_KEY fits none of the webhooks: then it is this process that is wrong, and another may deliver. */
  #hasForeignKey(webhooks: readonly Webhook[]): boolean {
    if (webhooks.some((webhook) => signingKeysOf(webhook, this.parts.masterKey))) return false;
    if (!this.#isForeign) this.parts.log.warn('WEBHOOK_KEY fits no webhook, so this process delivers none');
    this.#isForeign = true;
    return true;
  }

  /** Begins what has become due, and writes what was delivered. */
  async #step(): Promise<void> {
    for (const worker of this.#workers.values()) worker.deliver();
    const isTime = performance.now() - this.#positionsSavedAt > deliveryTimes.position;
    const changed = [...this.#workers.values()].filter(
      ({ changes, queue, savedPosition }) => changes.isUrgent || (isTime && queue.position !== savedPosition),
    );
    if (changed.length === 0) return;
    if (isTime) this.#positionsSavedAt = performance.now();
    await this.#inTurn(() => saveProgress(this.parts.database, this.#lease, changed), { last: true });
    for (const { webhook, changes } of changed) if (changes.isDisabled) this.#workers.delete(webhook.id);
  }

  #readAll(): void {
    for (const worker of this.#workers.values()) void worker.read();
  }

  #leave(): void {
    for (const worker of this.#workers.values()) worker.close();
    this.#workers.clear();
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  #repeat(work: () => Promise<void>, every: number): Promise<void> {
    return repeat(work, { first: 0, every, signal: this.#end.signal }, (error) => {
      if (error instanceof LeaseLost) this.#leave();
      else this.#warn(error);
    });
  }

  #warn(err: unknown): void {
    if (!this.#end.signal.aborted) this.parts.log.warn({ err }, 'Webhooks could not be served; it is tried again');
  }
}

interface Origin {
  database: Pick<Database, 'client'>;
  journal: Pick<JournalFeed, 'continuationOf'>;
  masterKey: string;
}

/**
 * The worker of a webhook, where the last one left off. If the journal no longer holds what follows, the first message
 * says which positions are missing. Without a usable key or its own secret, the webhook is disabled.
 */
async function startWorker(
  { database, journal, masterKey }: Origin,
  parts: WorkerParts,
  webhook: Webhook,
  identity: WebhookIdentity | undefined,
): Promise<WebhookWorker> {
  const keys = signingKeysOf(webhook, masterKey);
  const nobody = { keyId: webhook.keyId, name: '', scopes: [] };
  const worker = new WebhookWorker(webhook, keys ?? (() => []), identity ?? nobody, parts);
  if (!keys) worker.disable('secret_changed');
  else if (!identity) worker.disable('key_ended');
  for (const delivery of await storedDeliveries(database.client, webhook.id)) worker.queue.addStored(delivery);
  const missing = await missingBehind(journal, webhook.position);
  if (missing !== undefined) worker.announceGap(missing);
  return worker;
}

/**
 * The keys that sign the messages of a webhook: while they are rotated also those before. Undefined if WEBHOOK_KEY is
 * another than when the secret was made.
 */
function signingKeysOf(
  { id, generation, fingerprint, overlapUntil }: Webhook,
  masterKey: string,
): (() => readonly SigningKeys[]) | undefined {
  const newest = new SigningKeys(masterKey, id, generation);
  if (newest.fingerprint !== fingerprint) return undefined;
  const before = overlapUntil ? new SigningKeys(masterKey, id, generation - 1) : undefined;
  return () => (before && overlapUntil && overlapUntil.getTime() > Date.now() ? [newest, before] : [newest]);
}

/** The stored deliveries of a webhook, in the order of their positions. */
async function storedDeliveries(client: TransactionClient, webhookId: string): Promise<Delivery[]> {
  const rows = await client.webhookDelivery.findMany({ where: { webhookId }, orderBy: { position: 'asc' } });
  return rows.map(deliveryOf);
}

/** Deliveries to one webhook that are looked at together. */
const mostRequested = 100;

/**
 * The deliveries to these webhooks that somebody has asked for: the first of each, because those that wait for a receiver
 * that does not answer must keep no other from theirs.
 */
async function requestedDeliveries(
  client: TransactionClient,
  webhookIds: readonly string[],
): Promise<{ webhookId: string; delivery: Delivery }[]> {
  const isRequested = { requestedAt: { not: null } };
  const asked = await client.webhookDelivery.groupBy({
    by: ['webhookId'],
    where: { ...isRequested, webhookId: { in: [...webhookIds] } },
  });
  const found: { webhookId: string; delivery: Delivery }[] = [];
  for (const { webhookId } of asked) {
    const rows = await client.webhookDelivery.findMany({
      where: { ...isRequested, webhookId },
      orderBy: { requestedAt: 'asc' },
      take: mostRequested,
    });
    for (const row of rows) found.push({ webhookId, delivery: deliveryOf(row) });
  }
  return found;
}

/** Gives each requested delivery to the worker of its webhook. */
async function addRequested(
  client: TransactionClient,
  workers: ReadonlyMap<string, { addRequested(delivery: Delivery): void }>,
): Promise<void> {
  for (const { webhookId, delivery } of await requestedDeliveries(client, [...workers.keys()])) {
    workers.get(webhookId)?.addRequested(delivery);
  }
}

interface DeliveryRow {
  id: string;
  position: bigint | null;
  document: string;
  attempts: number;
  firstFailedAt: Date | null;
  nextAttemptAt: Date;
  requestedAt: Date | null;
}

const deliveryOf = ({
  id,
  position,
  document,
  attempts,
  firstFailedAt,
  nextAttemptAt,
  requestedAt,
}: DeliveryRow): Delivery => ({
  messageId: id,
  position: position === null ? undefined : Number(position),
  document,
  entry: undefined,
  attempts,
  unmade: 0,
  unread: 0,
  firstFailedAt: firstFailedAt ?? undefined,
  dueAt: nextAttemptAt.getTime(),
  requestedAt: requestedAt ?? undefined,
});
