import type { KeptDocument, Running, ServedFeature, Started } from '../../gateway/feature.js';
import { heldPosition } from './delivery/held-position.js';
import { createReadPayload } from './delivery/read-payload.js';
import { WebhookDeliverer } from './delivery/webhook-deliverer.js';
import { deliveries, deliverySeconds } from './delivery/worker-parts.js';
import { describedWebhooks } from './described-webhooks.js';
import { enabledWebhooks } from './find-webhook.js';
import { addWebhookFields } from './schema/webhook-fields.js';
import { payloadQuery } from './selection.js';
import { webhookHost, webhookHosts } from './webhook-host.js';

export const servedWebhooks: ServedFeature = {
  schema: addWebhookFields,
  describe: (description) => {
    description.webhooks = describedWebhooks;
  },
  metrics: [deliveries, deliverySeconds],
  join({ key, config, admission, journal, schema }) {
    webhookHosts.set(
      key,
      webhookHost({ config, admission, journal: journal?.isKept ? journal : undefined, schema: () => schema }),
    );
    return {};
  },
  start: startDelivering,
};

/**
 * Keeps what webhooks need of the journal, and begins to deliver them: not without WEBHOOK_KEY or without a journal, because
 * there are none then.
 */
function startDelivering({ database, journal, gateway, config, log, measure }: Running): Started | undefined {
  journal.hold(heldPosition);
  const { webhookKey: masterKey, webhookAllow: allowed } = config;
  if (masterKey === undefined || !journal.isKept) return undefined;
  const deliverer = new WebhookDeliverer({
    ...{ database, journal, masterKey, allowed, log, measure },
    readPayload: createReadPayload(gateway.operate),
  });
  const stored = async () => (await enabledWebhooks(database.client)).flatMap(selectionOf);
  return { stored, stop: () => deliverer.stop() };
}

/** Without it, its messages have no record. */
function selectionOf({ id, name, selection, types }: Stored): KeptDocument[] {
  if (selection === null) return [];
  return [{ text: () => payloadQuery(selection, types).query, facts: { webhook: id, name }, mend }];
}

type Stored = Awaited<ReturnType<typeof enabledWebhooks>>[number];

const mend =
  'The selection of this webhook is not valid in this version, so that its messages have no record: correct it with the mutation updateWebhook (docs/changelog.md says what has changed)';
