/** Managing webhooks, for keys with the scope `webhooks`. */
import type { RequestContext } from '../../../change/context.js';
import { positionAfter } from '../../../change/journal/journal.js';
import { longestUrl } from '../../../gateway/outgoing/address-rules.js';
import { forHolders } from '../../../graphql/answered-by-sql.js';
import { type Builder, perBuilder } from '../../../graphql/builder.js';
import { mostNamed } from '../../../graphql/inputs/orders.js';
import { connectionOfOwn, pageArguments } from '../../../graphql/types/connection.js';
import { changeAction, recordTypeName } from '../../../graphql/types/enums.js';
import { pageOfAttempts, redeliver, replayWebhook, testWebhook } from '../deliveries.js';
import {
  createWebhook,
  deleteWebhook,
  longestSecretOverlap,
  managementOf,
  pageOfWebhooks,
  requireHost,
  rotateSecret,
  updateWebhook,
} from '../manage-webhooks.js';
import type { Webhook, WebhookWithSecret } from '../webhook.js';
import { longestSelection } from '../webhook-problems.js';
import { webhook, webhookAttempt, webhookMessagePayload, webhookPayload } from './webhook-types.js';

const forManagers = forHolders('webhooks');

/** Notes in the log what was done to a webhook, and answers it. The log names webhooks by their ids: a URL may hold a secret. */
async function noted({ log, identity }: RequestContext, message: string, work: Promise<Webhook | WebhookWithSecret>) {
  const made = await work;
  const answer = 'webhook' in made ? made : { webhook: made };
  log.info({ webhook: answer.webhook.id, by: identity.keyId }, message);
  return answer;
}

const idArgument = (builder: Builder) =>
  builder.args((t) => ({ id: t.id({ required: true, description: 'Id of the webhook.' }) }));

const day = 24 * 60 * 60;

export function addWebhookFields(builder: Builder): void {
  builder.queryField('webhooks', (t) =>
    t.field({
      type: connectionOfOwn(builder, 'Webhook', 'webhook', webhook(builder)),
      ...forManagers('The webhooks, newest first.'),
      args: pageArguments(builder),
      resolve: (_, page, { database }) => pageOfWebhooks(database.client, page),
    }),
  );

  builder.mutationField('createWebhook', (t) =>
    t.field({
      type: webhookPayload(builder),
      ...forManagers(
        'Creates a webhook, which receives every change from now on, and returns its secret, only this once.',
      ),
      args: {
        input: t.arg({
          type: createWebhookInput(builder),
          required: true,
          description: 'Its URL, and what it receives.',
        }),
      },
      resolve: (_, { input }, context) =>
        noted(context, 'A webhook was made', createWebhook(managementOf(context), input)),
    }),
  );

  builder.mutationField('updateWebhook', (t) =>
    t.field({
      type: webhookPayload(builder),
      ...forManagers(
        'Changes a webhook. A change of its URL, types, actions or selection gives it the scopes of the key that makes it.',
      ),
      args: {
        ...idArgument(builder),
        input: t.arg({ type: updateWebhookInput(builder), required: true, description: 'What to change.' }),
      },
      resolve: (_, { id, input }, context) =>
        noted(context, 'A webhook was changed', updateWebhook(managementOf(context), id, input)),
    }),
  );

  builder.mutationField('deleteWebhook', (t) =>
    t.field({
      type: webhookPayload(builder),
      ...forManagers('Deletes a webhook with its log, and returns it as it was.'),
      args: idArgument(builder),
      resolve: (_, { id }, context) => noted(context, 'A webhook was deleted', deleteWebhook(context.database, id)),
    }),
  );

  builder.mutationField('rotateWebhookSecret', (t) =>
    t.field({
      type: webhookPayload(builder),
      ...forManagers('Gives a webhook other signing keys; for a while messages are signed with both.'),
      args: {
        ...idArgument(builder),
        overlapSeconds: t.arg.int({
          required: true,
          defaultValue: day,
          description: `How long the old keys sign too, 0 to ${longestSecretOverlap} (7 days); a day unless given.`,
        }),
      },
      resolve: (_, { id, overlapSeconds }, context) =>
        noted(context, 'The secret of a webhook was rotated', rotateSecret(managementOf(context), id, overlapSeconds)),
    }),
  );

  builder.queryField('webhookAttempts', (t) =>
    t.field({
      type: connectionOfOwn(builder, 'WebhookAttempt', 'delivery attempt', webhookAttempt(builder)),
      ...forManagers(
        'The attempts to deliver messages of a webhook, the newest first, of which the last 1,000 are kept.',
      ),
      args: { ...idArgument(builder), ...pageArguments(builder) },
      resolve: (_, { id, ...page }, { database }) => pageOfAttempts(database.client, id, page),
    }),
  );

  builder.mutationField('replayWebhook', (t) =>
    t.field({
      type: webhookPayload(builder),
      ...forManagers('Delivers again all changes after a position of the journal, in order and with the ids they had.'),
      args: {
        ...idArgument(builder),
        after: t.arg.string({ required: true, description: 'A position that the journal still holds.' }),
      },
      resolve: (_, { id, after }, context) =>
        noted(context, 'A webhook is replayed', replayWebhook(managementOf(context), id, positionAfter(after))),
    }),
  );

  builder.mutationField('redeliverWebhookMessage', (t) =>
    t.field({
      type: webhookMessagePayload(builder),
      ...forManagers('Delivers one message again, at once and out of order.'),
      args: {
        ...idArgument(builder),
        messageId: t.arg.id({ required: true, description: 'The `webhook-id` of the message.' }),
      },
      resolve: async (_, { id, messageId }, context) => ({
        message: { messageId: await redeliver(managementOf(context), id, messageId) },
      }),
    }),
  );

  builder.mutationField('testWebhook', (t) =>
    t.field({
      type: webhookMessagePayload(builder),
      ...forManagers(`Sends a message of type \`test\`, once; \`webhookAttempts\` shows the outcome.`),
      args: idArgument(builder),
      resolve: async (_, { id }, context) => {
        requireHost(managementOf(context).host);
        return { message: { messageId: await testWebhook(context.database, id) } };
      },
    }),
  );
}

const texts = {
  name: 'What it is for, 1 to 100 characters.',
  url: `Where messages are sent: https, to a public host, at most ${longestUrl} characters.`,
  types:
    'The record types whose changes it receives, with their lines; left out or null, all that the key may read. An empty list is refused.',
  actions: 'The actions it receives; left out or null, all. An empty list is refused.',
  selection: `A GraphQL selection, at most ${longestSelection} characters: what messages hold of the record. On the type if \`types\` has one, otherwise on \`Node\`. Left out, messages hold no record.`,
};

const createWebhookInput = perBuilder((builder) =>
  builder.inputType('CreateWebhookInput', {
    description: 'The webhook to make.',
    fields: (t) => ({
      name: t.string({ required: true, description: texts.name }),
      url: t.string({ required: true, description: texts.url }),
      types: t.field({ type: [recordTypeName(builder)], description: texts.types, ...mostNamed }),
      actions: t.field({ type: [changeAction(builder)], description: texts.actions, ...mostNamed }),
      selection: t.string({ description: texts.selection }),
    }),
  }),
);

const updateWebhookInput = perBuilder((builder) =>
  builder.inputType('UpdateWebhookInput', {
    description: 'What to change of a webhook; what is left out stays.',
    fields: (t) => ({
      name: t.string({ description: texts.name }),
      url: t.string({ description: texts.url }),
      types: t.field({ type: [recordTypeName(builder)], description: texts.types, ...mostNamed }),
      actions: t.field({ type: [changeAction(builder)], description: texts.actions, ...mostNamed }),
      selection: t.string({ description: `${texts.selection} Null removes it.` }),
      enabled: t.boolean({
        description:
          'False stops all deliveries. True starts them where they stopped, and attempts at once what has failed.',
      }),
    }),
  }),
);
