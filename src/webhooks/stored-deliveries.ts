import type { TransactionClient } from '../database/open-database.js';
import type { Delivery } from './delivery-queue.js';

/** The stored deliveries of a webhook, in the order of their positions. */
export async function storedDeliveries(client: TransactionClient, webhookId: string): Promise<Delivery[]> {
  const rows = await client.webhookDelivery.findMany({ where: { webhookId }, orderBy: { position: 'asc' } });
  return rows.map(deliveryOf);
}

/** The deliveries to these webhooks that somebody has asked for. */
export async function requestedDeliveries(
  client: TransactionClient,
  webhookIds: readonly string[],
): Promise<{ webhookId: string; delivery: Delivery }[]> {
  const rows = await client.webhookDelivery.findMany({
    where: { requestedAt: { not: null }, webhookId: { in: [...webhookIds] } },
    orderBy: { requestedAt: 'asc' },
    take: 1000,
  });
  return rows.map((row) => ({ webhookId: row.webhookId, delivery: deliveryOf(row) }));
}

interface Row {
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
}: Row): Delivery => ({
  messageId: id,
  position: position === null ? undefined : Number(position),
  document,
  entry: undefined,
  attempts,
  firstFailedAt: firstFailedAt ?? undefined,
  dueAt: nextAttemptAt.getTime(),
  requestedAt: requestedAt ?? undefined,
});
