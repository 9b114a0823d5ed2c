/** The progress of a webhook is written consistently, whatever happens to the webhook meanwhile. */
import { expect, onTestFinished, test } from 'vitest';
import { DeliveryLease } from '../../../src/features/webhooks/delivery/delivery-lease.js';
import { saveProgress } from '../../../src/features/webhooks/delivery/webhook-deliverer.js';
import { ConnectionSlots, sharedPages, WebhookWorker } from '../../../src/features/webhooks/delivery/webhook-worker.js';
import { findWebhook } from '../../../src/features/webhooks/manage-webhooks.js';
import { AddressRules } from '../../../src/gateway/outgoing/address-rules.js';
import { createSender } from '../../../src/gateway/outgoing/sender.js';
import { providers } from '../../support/database.js';
import { startGateway } from '../../support/gateway.js';
import { attemptsOf, createWebhook, webhookNamed, webhookSettings } from './deliverer.js';

test.each(providers)(
  'an answer 410 that comes while something is written is logged and disables, on %s',
  async (provider) => {
    const gateway = await startGateway({ database: provider, env: webhookSettings });
    onTestFinished(() => gateway.close());
    const { database, journal, readPayload } = gateway;
    const { id } = (await createWebhook(gateway, { url: 'http://127.0.0.1:9/' })).webhook;
    const lease = new DeliveryLease(database);
    expect(await lease.take()).toBe(true);
    const worker = new WebhookWorker(
      await findWebhook(database.client, id),
      () => [],
      { keyId: '', name: '', scopes: [] },
      {
        journal,
        readPage: sharedPages(journal),
        sender: createSender(new AddressRules([])),
        slots: new ConnectionSlots(),
        readPayload,
        database,
        measure: () => {},
        mayDeliver: () => false,
        onError: (error) => {
          throw error;
        },
      },
    );
    const written = async () => [
      (await webhookNamed(gateway, id)).disabledReason,
      (await attemptsOf(gateway, id)).length,
    ];
    const writing = saveProgress(database, lease, [worker]);
    const result = { status: 410, failure: null, milliseconds: 1 };
    worker.changes.attempts.push({ delivery: { id: 'msg_1', position: 1 }, at: new Date(), result });
    worker.disable('gone');
    await writing;
    expect(await written()).toEqual([null, 0]);
    await saveProgress(database, lease, [worker]);
    expect(await written()).toEqual(['GONE', 1]);
  },
);
