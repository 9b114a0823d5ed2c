/** Webhooks as their administrators see them. */

import { sendFailures } from '../../../gateway/outgoing/sender.js';
import { objectOf } from '../../../graphql/builder.js';
import { changeAction, enumOf, recordTypeName } from '../../../graphql/types/enums.js';
import { type Refused, userErrorsField } from '../../../graphql/types/payloads.js';
import type { WebhookAttempt } from '../deliveries.js';
import { disabledReasons, type Webhook, type WebhookWithSecret, webhookState } from '../webhook.js';

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
    selection: t.exposeString('selection', {
      nullable: true,
      description: 'The GraphQL selection on the record in its messages; null where they hold no record.',
    }),
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
      nullable: true,
      description: 'Why it delivers nothing; null where it delivers.',
    }),
    disabledAt: t.expose('disabledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it delivers nothing; null where it delivers.',
    }),
    failures: t.exposeInt('failures', { description: 'How many attempts in a row have failed.' }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description: 'When the first of them failed; null where the last attempt succeeded.',
    }),
    position: t.string({
      resolve: ({ position }) => String(position),
      description: 'Every change up to this position of the journal is delivered, or is attempted again.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

interface WebhookPayload extends Partial<Refused>, Partial<WebhookWithSecret> {}

export const webhookPayload = objectOf<WebhookPayload>('WebhookPayload', {
  description: 'What became of a webhook, and after it is made or its keys are changed what its receiver needs.',
  fields: (t, builder) => ({
    webhook: t.expose('webhook', {
      type: webhook(builder),
      nullable: true,
      description: 'The webhook as it is now, or as it was before it was deleted. Null with `userErrors`.',
    }),
    secret: t.exposeString('secret', {
      nullable: true,
      description: 'A new secret for signatures `v1`, `whsec_…`. It is shown here and never again.',
    }),
    publicKey: t.exposeString('publicKey', {
      nullable: true,
      description: 'A new key for signatures `v1a`, `whpk_…`, which need no secret. It is shown here and never again.',
    }),
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
      nullable: true,
      description: 'Why there was no answer; null if there was one.',
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

interface WebhookMessagePayload extends Partial<Refused> {
  message?: { messageId: string };
}

export const webhookMessagePayload = objectOf<WebhookMessagePayload>('WebhookMessagePayload', {
  description: 'What became of a request to send a message.',
  fields: (t, builder) => ({
    message: t.expose('message', {
      type: webhookMessage(builder),
      nullable: true,
      description: 'The message that will be sent. Null with `userErrors`.',
    }),
    userErrors: t.field(userErrorsField(builder)),
  }),
});
