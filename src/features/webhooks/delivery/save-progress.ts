import type { Database, TransactionClient } from '../../../database/open-database.js';
import { createIds } from '../../../model/ids.js';
import { keptAttempts } from '../deliveries.js';
import type { AttemptMade, WebhookChanges } from '../webhook-changes.js';
import type { DeliveryLease } from './delivery-lease.js';
import type { Delivery } from './delivery-queue.js';
import type { WebhookWorker } from './webhook-worker.js';

/** Thrown where another process delivers now: nothing is written. */
export class LeaseLost extends Error {}

/** About so many attempts beyond those that are kept are deleted together. */
const pruned = 200;

/**
 * Writes how far webhooks have got, what waits for another attempt, and the log, all or nothing, on condition that this
 * process still has the lease. What is not written yet is delivered again after a crash, with the same ids. @throws
 * LeaseLost
 */
export async function saveProgress(
  database: Pick<Database, 'transaction'>,
  lease: DeliveryLease,
  workers: readonly WebhookWorker[],
): Promise<void> {
  const taken = workers.map((worker) => ({ worker, position: worker.queue.position, ...worker.changes.take() }));
  try {
    // The transaction may be repeated: the lease counts from its last beginning.
    let begunAt = 0;
    await database.transaction(async (tx) => {
      begunAt = performance.now();
      if (!(await lease.confirm(tx))) throw new LeaseLost('Another process delivers webhooks now');
      for (const each of taken) await save(tx, each);
    });
    lease.note(true, begunAt);
    for (const { worker, position, disabled } of taken) {
      worker.savedPosition = position;
      worker.changes.isDisabled = disabled !== undefined;
    }
  } catch (error) {
    for (const { worker, ...changes } of taken) worker.changes.putBack(changes);
    throw error;
  }
}

/** A snapshot of one moment: what happens while it is written is written the next time. */
interface Taken extends ReturnType<WebhookChanges['take']> {
  worker: WebhookWorker;
  position: number;
}

async function save(tx: TransactionClient, { worker, position, ...taken }: Taken): Promise<void> {
  const { id, revision } = worker.webhook;
  const { attempts, deliveries, failures, failingSince, disabled } = taken;
  const { count } = await tx.webhook.updateMany({
    where: { id, revision },
    data: {
      position: BigInt(position),
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
  const data = [...deliveries.values()].flatMap((delivery) => (delivery ? [rowOf(id, delivery)] : []));
  if (data.length > 0) await tx.webhookDelivery.createMany({ data });
}

async function log(tx: TransactionClient, webhookId: string, attempts: readonly AttemptMade[]): Promise<void> {
  const data = attempts.slice(-keptAttempts).map(({ delivery, at, result }) => ({
    id: attemptIds.next('attempt').id,
    webhookId,
    messageId: delivery.messageId,
    position: delivery.position === undefined ? null : BigInt(delivery.position),
    at,
    status: result.status ?? null,
    failure: result.failure ?? null,
    milliseconds: result.milliseconds,
  }));
  await tx.webhookAttempt.createMany({ data });
  // Not each time, because it reads past all that are kept.
  if (Math.random() > (data.length * 4) / pruned) return;
  const old = await tx.webhookAttempt.findMany({
    where: { webhookId },
    orderBy: { id: 'desc' },
    skip: keptAttempts,
    take: 5 * pruned,
    select: { id: true },
  });
  if (old.length > 0) await tx.webhookAttempt.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } });
}

const rowOf = (webhookId: string, delivery: Delivery) => ({
  id: delivery.messageId,
  webhookId,
  position: delivery.position === undefined ? null : BigInt(delivery.position),
  document: delivery.document,
  attempts: delivery.attempts,
  firstFailedAt: delivery.firstFailedAt ?? null,
  nextAttemptAt: new Date(delivery.dueAt),
  // Once it was attempted, a requested delivery waits like any other and has no priority.
  requestedAt: delivery.attempts > 0 ? null : (delivery.requestedAt ?? null),
});

const attemptIds = createIds();
