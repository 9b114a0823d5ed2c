/** What has been delivered to webhooks, and deliveries that are asked for. */

import type { Builder } from '../../../graphql/builder.js';
import { pageArguments, webhookAttemptConnection } from '../../../graphql/types/connection.js';
import { positionAfter } from '../../history/schema/history-fields.js';
import { pageOfAttempts, redeliver, replayWebhook, testWebhook } from '../deliveries.js';
import { requireHost } from '../management.js';
import { byWebhookManagers, managementOf, needsScope as needs, note } from './webhook-options.js';
import { webhookMessagePayload, webhookPayload } from './webhook-types.js';

export function addWebhookDeliveries(builder: Builder): void {
  builder.queryField('webhookAttempts', (t) =>
    t.field({
      type: webhookAttemptConnection(builder),
      nullable: true,
      ...byWebhookManagers,
      description: `The attempts to deliver messages of a webhook, the newest first, of which the last 1,000 are kept. ${needs}`,
      args: { id: t.arg.id({ required: true, description: 'Id of the webhook.' }), ...pageArguments(builder) },
      resolve: (_, { id, ...page }, { database }) => pageOfAttempts(database.client, id, page),
    }),
  );

  const id = (description = 'Id of the webhook.') =>
    builder.args((t) => ({ id: t.id({ required: true, description }) }));

  builder.mutationField('replayWebhook', (t) =>
    t.field({
      type: webhookPayload(builder),
      nullable: true,
      ...byWebhookManagers,
      description: `Delivers again all changes after a position of the journal, in order and with the ids they had. ${needs}`,
      args: {
        ...id(),
        after: t.arg.string({ required: true, description: 'A position that the journal still holds.' }),
      },
      resolve: async (_, { id: webhookId, after }, context) => {
        const replayed = await replayWebhook(managementOf(context), webhookId, positionAfter(after));
        note(context, webhookId, 'A webhook is replayed');
        return { webhook: replayed };
      },
    }),
  );

  builder.mutationField('redeliverWebhookMessage', (t) =>
    t.field({
      type: webhookMessagePayload(builder),
      nullable: true,
      ...byWebhookManagers,
      description: `Delivers one message again, at once and out of order. ${needs}`,
      args: { ...id(), messageId: t.arg.id({ required: true, description: 'The `webhook-id` of the message.' }) },
      resolve: async (_, { id: webhookId, messageId }, { database, webhooks }) => ({
        message: { messageId: await redeliver(database, requireHost(webhooks).journal, webhookId, messageId) },
      }),
    }),
  );

  builder.mutationField('testWebhook', (t) =>
    t.field({
      type: webhookMessagePayload(builder),
      nullable: true,
      ...byWebhookManagers,
      description: `Sends a message of type \`test\`, once; \`webhookAttempts\` shows the outcome. ${needs}`,
      args: id(),
      resolve: async (_, { id: webhookId }, { database, webhooks }) => {
        requireHost(webhooks);
        return { message: { messageId: await testWebhook(database, webhookId) } };
      },
    }),
  );
}
