import { type Procedure, rows } from '../../../common/work.js';

/**
 * The position up to which no webhook needs the journal any more; undefined if none needs any of it. A disabled webhook
 * needs nothing: what is missing when it is enabled is announced to it.
 */
export function* heldPosition(): Procedure<number | undefined> {
  const [row] = yield* rows(
    `SELECT min("position"),
       (SELECT min("WebhookDelivery"."position") FROM "WebhookDelivery"
        JOIN "Webhook" ON "Webhook"."id" = "WebhookDelivery"."webhookId" WHERE "Webhook"."disabledAt" IS NULL)
     FROM "Webhook" WHERE "disabledAt" IS NULL`,
    [],
  );
  const [reached, waiting] = row ?? [];
  if (reached === null || reached === undefined) return undefined;
  return Math.min(Number(reached), waiting === null || waiting === undefined ? Infinity : Number(waiting) - 1);
}
