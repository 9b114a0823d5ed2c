import type { Database } from '../../../database/open-database.js';
import type { Webhook } from '../webhook.js';
import type { JournalFeed } from './journal-feed.js';
import type { WebhookIdentity } from './message.js';
import { missingBehind } from './read-next.js';
import { storedDeliveries } from './stored-deliveries.js';
import { WebhookWorker } from './webhook-worker.js';
import { signingKeysOf } from './worker-keys.js';
import type { WorkerParts } from './worker-parts.js';

interface Origin {
  database: Pick<Database, 'client'>;
  journal: Pick<JournalFeed, 'continuationOf'>;
  masterKey: string;
}

/**
 * The worker of a webhook, where the last one left off. If the journal no longer holds what follows, the first message
 * says which positions are missing. Without a usable key or its own secret, the webhook is disabled.
 */
export async function startWorker(
  { database, journal, masterKey }: Origin,
  parts: WorkerParts,
  webhook: Webhook,
  identity: WebhookIdentity | undefined,
): Promise<WebhookWorker> {
  const keys = signingKeysOf(webhook, masterKey);
  const nobody = { keyId: webhook.keyId, name: '', scopes: [] };
  const worker = new WebhookWorker(webhook, keys ?? (() => []), identity ?? nobody, parts);
  if (!keys) worker.disable('secret_changed');
  else if (!identity) worker.disable('key_ended');
  for (const delivery of await storedDeliveries(database.client, webhook.id)) worker.queue.addStored(delivery);
  const missing = await missingBehind(journal, webhook.position);
  if (missing !== undefined) worker.announceGap(missing);
  return worker;
}
