import type { TransactionClient } from '../../../database/open-database.js';
import type { Delivery } from './delivery-queue.js';

/** The stored deliveries of a webhook, in the order of their positions. */
export async function storedDeliveries(client: TransactionClient, webhookId: string): Promise<Delivery[]> {
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
export async function addRequested(
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
