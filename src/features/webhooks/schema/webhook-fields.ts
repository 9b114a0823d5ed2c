/** Managing webhooks, for keys with the scope `webhooks`. */

import type { RequestContext } from '../../../change/context.js';
import { positionAfter } from '../../../change/journal/journal.js';
import { longestUrl } from '../../../gateway/outgoing/address-rules.js';
import { sendFailures } from '../../../gateway/outgoing/sender.js';
import { forHolders } from '../../../graphql/answered-by-sql.js';
import { type Builder, instantOrNull, objectOf, orNull, perBuilder } from '../../../graphql/builder.js';
import { mostNamed } from '../../../graphql/inputs/filters.js';
import { connectionOfOwn, pageArguments } from '../../../graphql/types/connection.js';
import { changeAction, enumOf, recordTypeName } from '../../../graphql/types/enums.js';
import { type Refused, userErrorsField } from '../../../graphql/types/payloads.js';
import { pageOfAttempts, redeliver, replayWebhook, testWebhook, type WebhookAttempt } from '../deliveries.js';
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
import { disabledReasons, type Webhook, type WebhookWithSecret, webhookState } from '../webhook.js';
import { longestSelection } from '../webhook-problems.js';

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

const state = enumOf('WebhookState', 'Whether a webhook delivers.', {
  active: 'Its last attempt succeeded, or there was none yet.',
  failing: 'Its last attempts failed; they are repeated.',
  disabled: 'Nothing is delivered until somebody enables it.',
});

const disabledReason = enumOf('WebhookDisabledReason', 'Why a webhook delivers nothing.', disabledReasons);

const failure = enumOf<string>('WebhookFailure', 'Why an attempt had no answer.', sendFailures);

export const webhook = objectOf<Webhook>('Webhook', {
  description: 'An address that receives changes as signed messages.',
  fields: (t, builder) => ({
    id: t.exposeID('id', { description: '`wh_` and twelve characters, by which logs name it.' }),
    name: t.exposeString('name', { description: 'What it is for.' }),
    url: t.exposeString('url', { description: 'Where its messages are sent, by POST.' }),
    types: t.expose('types', {
      type: [recordTypeName(builder)],
      description: 'The record types whose changes it receives, with their lines; empty for all that its key may read.',
    }),
    actions: t.expose('actions', {
      type: [changeAction(builder)],
      description: 'The actions it receives; empty for all.',
    }),
    selection: t.exposeString(
      'selection',
      orNull('The GraphQL selection on the record in its messages; null where they hold no record.'),
    ),
    keyId: t.exposeID('keyId', {
      description:
        'The API key whose scopes decide what it receives: the key that last set its URL, or what it receives.',
    }),
    state: t.field({
      type: state(builder),
      description: 'Whether it delivers.',
      resolve: (each) => webhookState(each),
    }),
    disabledReason: t.expose('disabledReason', {
      type: disabledReason(builder),
      ...orNull('Why it delivers nothing; null where it delivers.'),
    }),
    disabledAt: t.expose('disabledAt', instantOrNull('Since when it delivers nothing; null where it delivers.')),
    failures: t.exposeInt('failures', { description: 'How many attempts in a row have failed.' }),
    failingSince: t.expose(
      'failingSince',
      instantOrNull('When the first of them failed; null where the last attempt succeeded.'),
    ),
    position: t.string({
      resolve: ({ position }) => String(position),
      description: 'Every change up to this position of the journal is delivered, or is attempted again.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

const webhookPayload = objectOf<Partial<WebhookWithSecret & Refused>>('WebhookPayload', {
  description: 'What became of a webhook, and after it is made or its keys are changed what its receiver needs.',
  fields: (t, builder) => ({
    webhook: t.expose('webhook', {
      type: webhook(builder),
      ...orNull('The webhook as it is now, or as it was before it was deleted. Null with `userErrors`.'),
    }),
    secret: t.exposeString(
      'secret',
      orNull('A new secret for signatures `v1`, `whsec_…`. It is shown here and never again.'),
    ),
    publicKey: t.exposeString(
      'publicKey',
      orNull('A new key for signatures `v1a`, `whpk_…`, which need no secret. It is shown here and never again.'),
    ),
    userErrors: t.field(userErrorsField(builder)),
  }),
});

export const webhookAttempt = objectOf<WebhookAttempt>('WebhookAttempt', {
  description: 'One attempt to deliver a message.',
  fields: (t, builder) => ({
    messageId: t.exposeID('messageId', { description: 'The `webhook-id` of the message.' }),
    position: t.string({
      nullable: true,
      resolve: ({ position }) => (position === null ? null : String(position)),
      description: 'The position in the journal of the change it reports; null for a test.',
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When it began.' }),
    status: t.exposeInt('status', { nullable: true, description: 'The HTTP status; null if there was no answer.' }),
    failure: t.expose('failure', {
      type: failure(builder),
      ...orNull('Why there was no answer; null if there was one.'),
    }),
    milliseconds: t.exposeInt('milliseconds', { description: 'How long it took.' }),
  }),
});

const webhookMessage = objectOf<{ messageId: string }>('WebhookMessage', {
  description: 'A message that will be delivered within a few seconds.',
  fields: (t) => ({
    messageId: t.exposeID('messageId', { description: 'Its `webhook-id`, by which `webhookAttempts` names it.' }),
  }),
});

const webhookMessagePayload = objectOf<Partial<Refused & { message: { messageId: string } }>>('WebhookMessagePayload', {
  description: 'What became of a request to send a message.',
  fields: (t, builder) => ({
    message: t.expose('message', {
      type: webhookMessage(builder),
      ...orNull('The message that will be sent. Null with `userErrors`.'),
    }),
    userErrors: t.field(userErrorsField(builder)),
  }),
});
