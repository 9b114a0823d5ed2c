/** Creates, changes and deletes webhooks, for GraphQL and the command line. */
import { randomInt } from 'node:crypto';
import type { Database, TransactionClient } from '../database/open-database.js';
import { errors } from '../errors.js';
import { enablement } from './enablement.js';
import { findWebhook, webhookOf } from './find-webhook.js';
import { type Management, requireHost } from './management.js';
import { SigningKeys } from './signing-keys.js';
import type { Webhook, WebhookInput, WebhookUpdate, WebhookWithSecret } from './webhook.js';
import { requireValidWebhook } from './webhook-problems.js';

/** The most webhooks of a database. */
export const mostWebhooks = 100;

/** The webhook is told of everything that changes from now on. @throws BAD_USER_INPUT, FORBIDDEN, BAD_REQUEST without webhooks */
export async function createWebhook(
  { database, host: given, maker }: Management,
  { name, url, types, actions, selection }: WebhookInput,
): Promise<WebhookWithSecret> {
  const { host, masterKey, journal } = requireHost(given);
  const subscription = {
    name,
    url,
    types: unique(types),
    actions: unique(actions),
    selection: selection ?? null,
  };
  requireValidWebhook(subscription, maker, host);
  const id = newId();
  const keys = new SigningKeys(masterKey, id, 1);
  const { last } = await journal.bounds();
  const webhook = await database.transaction(async (tx) => {
    if ((await tx.webhook.count()) >= mostWebhooks) {
      throw errors.badInput([
        { path: ['input'], code: 'parameter_invalid', message: `is one too many: there are ${mostWebhooks} webhooks` },
      ]);
    }
    const data = {
      ...stored(subscription),
      id,
      keyId: maker.keyId,
      createdAt: new Date(),
      fingerprint: keys.fingerprint,
      position: BigInt(last),
    };
    return webhookOf(await tx.webhook.create({ data }));
  });
  return { webhook, secret: keys.reveal(), publicKey: keys.publicKey };
}

/**
 * Changes a webhook. From now on it has the scopes of the key that changes it. Enabling it starts attempts anew.
 * @throws NOT_FOUND, BAD_USER_INPUT, FORBIDDEN, BAD_REQUEST without webhooks
 */
export async function updateWebhook(
  { database, host: given, maker }: Management,
  id: string,
  { name, url, types, actions, selection, enabled }: WebhookUpdate,
): Promise<Webhook> {
  const { host } = requireHost(given);
  return database.transaction(async (tx) => {
    const old = await findWebhook(tx, id);
    const subscription = {
      name: name ?? old.name,
      url: url ?? old.url,
      types: types === undefined ? old.types : unique(types),
      actions: actions === undefined ? old.actions : unique(actions),
      selection: selection === undefined ? old.selection : selection,
    };
    requireValidWebhook(subscription, maker, host);
    if (enabled) await attemptAnew(tx, id);
    const row = await tx.webhook.update({
      where: { id },
      data: { ...stored(subscription), ...enablement(old, enabled), keyId: maker.keyId, revision: { increment: 1 } },
    });
    return webhookOf(row);
  });
}

/** Deletes a webhook and its log; returns what it was. @throws NOT_FOUND */
export async function deleteWebhook(database: Pick<Database, 'transaction'>, id: string): Promise<Webhook> {
  return database.transaction(async (tx) => {
    const webhook = await findWebhook(tx, id);
    await tx.webhookDelivery.deleteMany({ where: { webhookId: id } });
    await tx.webhookAttempt.deleteMany({ where: { webhookId: id } });
    await tx.webhook.delete({ where: { id } });
    return webhook;
  });
}

/** Attempts everything again now, as if nothing had failed. */
async function attemptAnew(tx: TransactionClient, webhookId: string): Promise<void> {
  const data = { attempts: 0, firstFailedAt: null, nextAttemptAt: new Date() };
  await tx.webhookDelivery.updateMany({ where: { webhookId }, data });
}

const stored = <Given extends { types: readonly string[]; actions: readonly string[] }>(given: Given) => ({
  ...given,
  types: given.types.join(' '),
  actions: given.actions.join(' '),
});

const unique = (names: readonly string[] | null | undefined) => [...new Set(names ?? [])];

const letters = '0123456789abcdefghjkmnpqrstvwxyz';
const newId = () => `wh_${Array.from({ length: 12 }, () => letters.charAt(randomInt(letters.length))).join('')}`;
