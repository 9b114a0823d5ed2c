import type { Database, TransactionClient } from '../../../database/open-database.js';
import { createIds } from '../../../model/ids.js';
import { keptAttempts } from '../deliveries.js';
import type { Webhook } from '../webhook.js';
import type { DeliveryLease } from './delivery-lease.js';
import type { Delivery } from './delivery-queue.js';
import type { AttemptMade, WebhookChanges, WebhookWorker } from './webhook-worker.js';

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
