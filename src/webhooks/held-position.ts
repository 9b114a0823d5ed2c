import type { Database } from '../database/open-database.js';

/**
 * The position up to which no webhook needs the journal any more; undefined if none needs any of it. A disabled webhook
 * needs nothing: what is missing when it is enabled is announced to it.
 */
export async function heldPosition({ read }: Pick<Database, 'read'>): Promise<number | undefined> {
  if (!read) throw new Error('The positions of webhooks are read outside transactions only');
  const [row] = await read(
    `SELECT min("position"),
       (SELECT min("WebhookDelivery"."position") FROM "WebhookDelivery"
        JOIN "Webhook" ON "Webhook"."id" = "WebhookDelivery"."webhookId" WHERE "Webhook"."disabledAt" IS NULL)
     FROM "Webhook" WHERE "disabledAt" IS NULL`,
    [],
    'bounded',
  );
  const [reached, waiting] = row ?? [];
  if (reached === null || reached === undefined) return undefined;
  return Math.min(Number(reached), waiting === null || waiting === undefined ? Infinity : Number(waiting) - 1);
}
