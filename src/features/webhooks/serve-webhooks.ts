import { type Procedure, rows } from '../../common/work.js';
import type { Schema } from '../../gateway/api.js';
import type { OnMeasured, Running, ServedFeature, Started } from '../../gateway/feature.js';
import type { DocumentOfFeature } from '../../graphql/operation/outdated-documents.js';
import { changeActions } from '../../model/change.js';
import { type ChangeMessage, createReadPayload, type SignedHeaders } from './delivery/message.js';
import { WebhookDeliverer } from './delivery/webhook-deliverer.js';
import { deliveries, deliverySeconds } from './delivery/webhook-worker.js';
import { enabledWebhooks, webhookHosts } from './manage-webhooks.js';
import { addWebhookFields } from './schema/webhook-fields.js';
import { type Webhook, webhookSettings } from './webhook.js';
import { payloadQuery } from './webhook-problems.js';

export const serveWebhooks = (measure: OnMeasured): ServedFeature => ({
  schema: addWebhookFields,
  describe: (description) => {
    description.webhooks = describedWebhooks;
  },
  metrics: [deliveries, deliverySeconds],
  join(gateway) {
    webhookHosts.set(gateway.key, gateway);
    return {};
  },
  start: (running) => startDelivering(running, measure),
});

/**
 * Keeps what webhooks need of the journal, and begins to deliver them: not without WEBHOOK_KEY or without a journal, because
 * there are none then.
 */
function startDelivering({ gateway, config, ...running }: Running, measure: OnMeasured): Started | undefined {
  const { database, journal } = running;
  const { grants } = gateway;
  journal.hold(heldPosition);
  const { webhookKey: masterKey, webhookAllow: allowed } = webhookSettings.of(config);
  if (masterKey === undefined || !journal.isKept) return undefined;
  const readPayload = createReadPayload(gateway.operate);
  const deliverer = new WebhookDeliverer({ ...running, grants, masterKey, allowed, readPayload, measure });
  const stored = async () => (await enabledWebhooks(database.client)).flatMap(selectionOf);
  return { stored, stop: () => deliverer.stop() };
}

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
  if (reached == null) return undefined;
  return Math.min(Number(reached), waiting == null ? Infinity : Number(waiting) - 1);
}

/** Without it, its messages have no record. */
function selectionOf({ id, name, selection, types }: Webhook): DocumentOfFeature[] {
  if (selection === null) return [];
  return [{ text: () => payloadQuery(selection, types).query, facts: { webhook: id, name }, mend }];
}

const mend =
  'The selection of this webhook is not valid in this version, so that its messages have no record: correct it with the mutation updateWebhook (docs/changelog.md says what has changed)';

// What webhooks send, as the section `webhooks` of OpenAPI. Its members are typed by the code that sends them.

const text: Schema = { type: 'string' };
const version: Schema = { type: 'integer', format: 'int32' };

const change: Record<keyof ChangeMessage, Schema> & Record<'record' | 'error', Schema> = {
  position: { type: 'integer', format: 'int64', description: 'Its place in the order of all changes.' },
  type: { ...text, description: 'The type of the record, such as `AssetRepair`.' },
  id: { ...text, description: 'The id of the record.' },
  action: { type: 'string', enum: changeActions },
  version: { ...version, description: 'The version of the record after the change.' },
  document: {
    description: 'The record itself, or that to which a line belongs.',
    type: 'object',
    properties: { type: { type: ['string', 'null'] }, id: text },
    required: ['type', 'id'],
  },
  record: {
    description: 'What the webhook selects of the record, as it is now; null if it is gone or cannot be read.',
    type: ['object', 'null'],
  },
  error: {
    description: 'Why the record cannot be read.',
    type: 'object',
    properties: { code: text, message: text },
    required: ['code', 'message'],
  },
};

const header = (name: keyof SignedHeaders, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: text,
});

export const describedWebhooks = {
  recordChanged: {
    post: {
      operationId: 'RecordChanged',
      summary: 'A record was changed',
      description:
        'Sent to the address of a webhook for each change that it asks for, in order, and again until it is answered with 2xx. It is signed as Standard Webhooks say. Messages of the types `test` and `gap` have other `data`.',
      tags: ['events'],
      security: [],
      parameters: [
        header('webhook-id', 'The same whenever the message is sent again.'),
        header('webhook-timestamp', 'Seconds since 1970.'),
        header('webhook-signature', 'The signatures of id, timestamp and body.'),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                type: { ...text, description: 'The type of the record and the action: `AssetRepair.update`.' },
                timestamp: { type: 'string', format: 'date-time', description: 'When the change was made.' },
                data: {
                  type: 'object',
                  properties: change,
                  required: ['position', 'type', 'id', 'action', 'version', 'document'],
                },
              },
              required: ['type', 'timestamp', 'data'],
            } satisfies Schema,
          },
        },
      },
      responses: { 200: { description: 'Any status of 2xx: the message has arrived.' } },
    },
  },
};
