import type { TransactionClient } from '../database/open-database.js';

/**
 * The position up to which no webhook needs the journal any more; undefined if none needs any of it. A disabled webhook
 * needs nothing: what is missing when it is enabled is announced to it.
 */
export async function heldPosition(client: TransactionClient): Promise<number | undefined> {
  const enabled = await client.webhook.findMany({ where: { disabledAt: null }, select: { id: true, position: true } });
  if (enabled.length === 0) return undefined;
  const waiting = await client.webhookDelivery.aggregate({
    where: { webhookId: { in: enabled.map(({ id }) => id) } },
    _min: { position: true },
  });
  const first = waiting._min.position;
  return Math.min(...enabled.map(({ position }) => Number(position)), first === null ? Infinity : Number(first) - 1);
}
