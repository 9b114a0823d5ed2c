import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Journal } from '../../../change/journal/journal.js';
import { repeat } from '../../../common/timing.js';
import type { Database, TransactionClient } from '../../../database/open-database.js';
import { type KeyIdentity, validKeys } from '../../../gateway/access/authenticator.js';
import type { CurrentGrants } from '../../../gateway/access/grants.js';
import { AddressRules } from '../../../gateway/outgoing/address-rules.js';
import { createSender } from '../../../gateway/outgoing/sender.js';
import { createIds } from '../../../model/ids.js';
import { keptAttempts } from '../deliveries.js';
import { enabledWebhooks } from '../manage-webhooks.js';
import { SigningKeys } from '../signing-keys.js';
import type { Webhook } from '../webhook.js';
import { detectRestored } from './announce-restored.js';
import { DeliveryLease } from './delivery-lease.js';
import { type Delivery, deliveryOf } from './delivery-queue.js';
import {
  type AttemptMade,
  ConnectionSlots,
  type Shared,
  sharedPages,
  type WebhookChanges,
  WebhookWorker,
} from './webhook-worker.js';

interface Given extends Pick<Shared, 'readPayload' | 'measure'> {
  database: Database;
  journal: Journal;
  /** The setting WEBHOOK_KEY. */
  masterKey: string;
  /** The setting WEBHOOK_ALLOW. */
  allowed: readonly string[];
  log: Pick<Logger, 'warn'>;
  /** What keys with roles may be told. */
  grants: CurrentGrants;
}

const deliveryTimes = {
  /** Milliseconds between checks for what is due, and between writes of what was delivered. */
  save: 200,
  /** Milliseconds between checks of the lease and the webhooks. */
  look: 700,
  /** Milliseconds between writes of positions where nothing was delivered. */
  position: 5000,
  /** Milliseconds that requests under way have to end when the process stops. */
  stop: 3000,
};

/** Deliveries to one webhook that somebody has asked for, and that are looked at together. */
const mostRequested = 100;

/** Delivers all webhooks for as long as this process has the lease. */
export class WebhookDeliverer {
  readonly #lease: DeliveryLease;
  readonly #workers = new Map<string, WebhookWorker>();
  readonly #shared: Shared;
  readonly #end = new AbortController();
  readonly #loop: Promise<void>;
  #stopListening: (() => void) | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #positionsSavedAt = 0;
  #isForeign = false;

  constructor(private readonly given: Given) {
    this.#lease = new DeliveryLease(given.database);
    this.#shared = {
      ...given,
      readPage: sharedPages(given.journal),
      sender: createSender(new AddressRules(given.allowed)),
      slots: new ConnectionSlots(),
      mayDeliver: () => this.#lease.isHeld && !this.#end.signal.aborted,
      onError: (err) => {
        if (!this.#end.signal.aborted) given.log.warn({ err }, 'Webhooks could not be served; it is tried again');
      },
    };
    this.#loop = repeat(
      () => this.#step(),
      { first: 0, every: deliveryTimes.save, signal: this.#end.signal },
      this.#shared.onError,
    );
  }

  /** Begins no further request, waits a moment for those under way, and leaves the lease to another process. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.#loop;
    const workers = [...this.#workers.values()];
    const until = performance.now() + deliveryTimes.stop;
    while (workers.some(({ isIdle }) => !isIdle) && performance.now() < until) await sleep(20);
    // What cannot be written any more is delivered again.
    if (workers.length > 0) await saveProgress(this.given.database, this.#lease, workers).catch(() => undefined);
    const wasHeld = this.#lease.isHeld;
    this.#leave();
    this.#shared.sender.close();
    if (wasHeld) await this.#lease.release().catch(() => undefined);
  }

  /** Serves the webhooks that are enabled now, as they are now. */
  async #look(): Promise<void> {
    const { database } = this.given;
    // After a lapse, or where a write found the lease lost, another process may have delivered: everything is read anew.
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
      this.#stopListening = this.given.journal.onCommit(() => this.#readAll());
    }
    const keyIds = [...new Set(webhooks.map(({ keyId }) => keyId))];
    const identities = await validKeys(database, keyIds, this.given.grants);
    for (const webhook of webhooks) {
      const identity = identities.get(webhook.keyId);
      const known = this.#workers.get(webhook.id);
      if (!known) this.#workers.set(webhook.id, await this.#startWorker(webhook, identity));
      else if (identity) known.identity = identity;
      else known.disable('key_ended');
    }
    await this.#addRequested();
    this.#readAll();
  }

  /**
   * The worker of a webhook, where the last one left off. If the journal no longer holds what follows, the first message
   * says which positions are missing. Without a usable key or its own secret, the webhook is disabled.
   */
  async #startWorker(webhook: Webhook, identity: KeyIdentity | undefined): Promise<WebhookWorker> {
    const { id, keyId } = webhook;
    const keys = signingKeysOf(webhook, this.given.masterKey);
    const nobody = { keyId, name: '', scopes: [] };
    const worker = new WebhookWorker(webhook, keys ?? (() => []), identity ?? nobody, this.#shared);
    if (!keys) worker.disable('secret_changed');
    else if (!identity) worker.disable('key_ended');
    const { webhookDelivery } = this.given.database.client;
    const stored = await webhookDelivery.findMany({ where: { webhookId: id }, orderBy: { position: 'asc' } });
    for (const row of stored) worker.queue.addStored(deliveryOf(row));
    await worker.announceMissing();
    return worker;
  }

  /**
   * Gives the workers the deliveries that somebody has asked for: the first of each webhook, because those that wait for
   * a receiver that does not answer must keep no other from theirs.
   */
  async #addRequested(): Promise<void> {
    const { webhookDelivery } = this.given.database.client;
    const requestedAt = { not: null };
    const ofServed = { requestedAt, webhookId: { in: [...this.#workers.keys()] } };
    for (const { webhookId } of await webhookDelivery.groupBy({ by: ['webhookId'], where: ofServed })) {
      const rows = await webhookDelivery.findMany({
        where: { requestedAt, webhookId },
        orderBy: { requestedAt: 'asc' },
        take: mostRequested,
      });
      for (const row of rows) this.#workers.get(webhookId)?.queue.addStored(deliveryOf(row));
    }
  }

  /** Whether WEBHOOK_KEY fits none of the webhooks: then it is this process that is wrong, and another may deliver. */
  #hasForeignKey(webhooks: readonly Webhook[]): boolean {
    if (webhooks.some((webhook) => signingKeysOf(webhook, this.given.masterKey))) return false;
    if (!this.#isForeign) this.given.log.warn('WEBHOOK_KEY fits no webhook, so this process delivers none');
    this.#isForeign = true;
    return true;
  }

  /**
   * Begins what has become due, and writes what was delivered. All of it in one loop: a delivery that is made and written
   * while stored ones are read would be read once more.
   */
  async #step(): Promise<void> {
    const now = performance.now();
    if (now - this.#lookedAt > deliveryTimes.look) {
      this.#lookedAt = now;
      await this.#look();
    }
    for (const worker of this.#workers.values()) worker.deliver();
    const isTime = now - this.#positionsSavedAt > deliveryTimes.position;
    const changed = [...this.#workers.values()].filter(
      ({ changes, queue, savedPosition }) => changes.isUrgent || (isTime && queue.position !== savedPosition),
    );
    if (changed.length === 0) return;
    if (isTime) this.#positionsSavedAt = now;
    // A webhook that is disabled by this is served no more from the next look on.
    await saveProgress(this.given.database, this.#lease, changed);
    // What was not saved is forgotten, and with it the positions beyond it: whoever has the lease next begins at the stored ones.
    if (!this.#lease.isHeld) this.#leave();
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

/** About so many attempts beyond those that are kept are deleted together. */
const pruned = 200;

/**
 * Writes how far webhooks have got, what waits for another attempt, and the log, all or nothing, on condition that this
 * process still has the lease: where another has it, that one does all of it again. What is not written yet is delivered
 * again after a crash, with the same ids.
 */
export async function saveProgress(
  database: Pick<Database, 'transaction'>,
  lease: DeliveryLease,
  all: readonly WebhookWorker[],
): Promise<void> {
  // A snapshot of one moment: what happens while it is written is written the next time.
  const taken = all.map((served) => ({ served, position: served.queue.position, ...served.changes.take() }));
  try {
    // The transaction may be repeated: the lease counts from its last beginning.
    let begunAt = 0;
    const isWritten = await database.transaction(async (tx) => {
      begunAt = performance.now();
      if (!(await lease.confirm(tx))) return false;
      for (const { served, position, ...changes } of taken) await save(tx, served.webhook, position, changes);
      return true;
    });
    if (!isWritten) return;
    lease.noteRenewed(begunAt);
    for (const { served, position } of taken) served.savedPosition = position;
  } catch (error) {
    for (const { served, ...changes } of taken) served.changes.putBack(changes);
    throw error;
  }
}

async function save(
  tx: TransactionClient,
  { id, revision }: Webhook,
  position: number,
  { attempts, deliveries, failures, failingSince, disabled }: ReturnType<WebhookChanges['take']>,
): Promise<void> {
  const { count } = await tx.webhook.updateMany({
    where: { id, revision },
    data: {
      position,
      failures,
      failingSince,
      ...(disabled ? { disabledAt: disabled.at, disabledReason: disabled.reason } : {}),
    },
  });
  const isThere = count > 0 || (await tx.webhook.count({ where: { id } })) > 0;
  if (isThere && attempts.length > 0) await log(tx, id, attempts);
  // Somebody has changed the webhook: it is read anew, and what was delivered meanwhile is delivered again.
  if (count === 0 || deliveries.size === 0) return;
  await tx.webhookDelivery.deleteMany({ where: { id: { in: [...deliveries.keys()] } } });
  const data = [...deliveries.values()].flatMap((delivery) => (delivery ? rowOf(delivery) : []));
  if (data.length > 0) await tx.webhookDelivery.createMany({ data });
}

async function log(tx: TransactionClient, webhookId: string, attempts: readonly AttemptMade[]): Promise<void> {
  const data = attempts.slice(-keptAttempts).map(({ delivery, at, result }) => ({
    id: attemptIds.next('attempt').id,
    webhookId,
    messageId: delivery.id,
    position: delivery.position,
    at,
    ...result,
  }));
  await tx.webhookAttempt.createMany({ data });
  // Not each time, because it reads past all that are kept.
  if (Math.random() > (data.length * 4) / pruned) return;
  const old = await tx.webhookAttempt.findFirst({
    where: { webhookId },
    orderBy: { id: 'desc' },
    skip: keptAttempts,
    select: { id: true },
  });
  if (old) await tx.webhookAttempt.deleteMany({ where: { webhookId, id: { lte: old.id } } });
}

const rowOf = ({ entry, unmade, unread, ...row }: Delivery) => ({
  ...row,
  // Once it was attempted, a requested delivery waits like any other and has no priority.
  requestedAt: row.attempts > 0 ? null : row.requestedAt,
});

const attemptIds = createIds();
