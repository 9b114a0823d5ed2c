/** Finds, creates, changes and deletes webhooks, for GraphQL and the command line. */

import type { RequestContext } from '../../change/context.js';
import type { Database, TransactionClient } from '../../database/open-database.js';
import { longestUrl } from '../../gateway/outgoing/address-rules.js';
import { catalogue, type RecordModel } from '../../model/catalogue.js';
import { type ChangeAction, changeActions } from '../../model/change.js';
import { invalidRequest } from '../../model/errors/error-rows.js';
import { errors } from '../../model/errors/errors.js';
import { GatewayError } from '../../model/errors/gateway-error.js';
import { newShortId } from '../../model/ids.js';
import { newest, ownPage } from '../../query/own-page.js';
import type { Page, PageArguments } from '../../query/page.js';
import { SigningKeys } from './signing-keys.js';
import {
  type DisabledReason,
  disabledReasons,
  type StoredWebhook,
  type Webhook,
  type WebhookInput,
  type WebhookTerms,
  type WebhookUpdate,
  type WebhookWithSecret,
  webhookSettings,
} from './webhook.js';
import { type Maker, requireValidWebhook, type WebhookHost } from './webhook-problems.js';

/** The newest first. @throws BAD_USER_INPUT for a cursor of another list */
export function pageOfWebhooks(client: TransactionClient, given: PageArguments): Page<Webhook> {
  return ownPage(
    {
      name: 'webhooks',
      isTimed: true,
      read: async ({ where, order, ...range }) =>
        (await client.webhook.findMany({ where: { AND: where }, orderBy: newest(order), ...range })).map(webhookOf),
      count: () => client.webhook.count(),
    },
    given,
  );
}

/** Those to which something is to be delivered. */
export async function enabledWebhooks(client: TransactionClient): Promise<Webhook[]> {
  return (await client.webhook.findMany({ where: { disabledAt: null } })).map(webhookOf);
}

/** @throws NOT_FOUND */
export async function findWebhook(client: TransactionClient, id: string): Promise<Webhook> {
  const row = await client.webhook.findUnique({ where: { id } });
  if (!row) throw errors.notFound('webhook', id);
  return webhookOf(row);
}

/** Positions are whole numbers that a double holds exactly. */
export function webhookOf({ types, actions, position, disabledReason, ...others }: StoredWebhook): Webhook {
  return {
    ...others,
    types: wordsOf(types).filter(isModel),
    actions: wordsOf(actions).filter(isAction),
    position: Number(position),
    disabledReason: isReason(disabledReason) ? disabledReason : null,
  };
}

const wordsOf = (text: string) => (text === '' ? [] : text.split(' '));
const isModel = (name: string): name is RecordModel => name in catalogue;
const isAction = (name: string): name is ChangeAction => changeActions.some((action) => action === name);
const isReason = (text: string | null): text is DisabledReason => text !== null && text in disabledReasons;

export const mostWebhooks = 100;

/** The webhook receives every change from now on. @throws BAD_USER_INPUT, FORBIDDEN, BAD_REQUEST without webhooks */
export async function createWebhook(
  { database, host: given, maker }: Management,
  input: WebhookInput,
): Promise<WebhookWithSecret> {
  const { host, masterKey, journal } = requireHost(given);
  const terms = { ...unrestricted, ...changesIn(input) };
  requireValidWebhook(terms, input, maker, host);
  const id = newShortId('wh');
  const keys = new SigningKeys(masterKey, id, 1);
  const { last } = await journal.continuationOf(0);
  const webhook = await database.transaction(async (tx) => {
    // One at a time counts them: this row is locked until the transaction ends.
    await heldFrom(tx);
    if ((await tx.webhook.count()) >= mostWebhooks) {
      throw errors.invalidAt(['input'], `is one too many: there are ${mostWebhooks} webhooks`);
    }
    const data = {
      ...terms,
      types: words(terms.types),
      actions: words(terms.actions),
      id,
      keyId: maker.keyId,
      createdAt: new Date(),
      fingerprint: keys.fingerprint,
      position: last,
    };
    return webhookOf(await tx.webhook.create({ data }));
  });
  return withSecret(webhook, keys);
}

/**
 * Up to which position the journal has been swept. Nothing more is swept until the transaction ends: it waits for a
 * sweep under way, and a later sweep sees what the transaction has written.
 */
export async function heldFrom(tx: TransactionClient): Promise<number> {
  const { swept } = await tx.journalState.update({ where: { id: 1 }, data: { position: { increment: 0 } } });
  return Number(swept);
}

const withSecret = (webhook: Webhook, keys: SigningKeys): WebhookWithSecret => ({
  webhook,
  secret: keys.reveal(),
  publicKey: keys.publicKey,
});

/**
 * Changes a webhook; only what is given is written. A change of its URL, or of what it receives, gives it the scopes of
 * the key that makes the change; a change of its name, or enabling it, leaves it the key it has. Enabling it starts
 * attempts anew. @throws NOT_FOUND, BAD_USER_INPUT, FORBIDDEN, UNAVAILABLE, BAD_REQUEST without webhooks
 */
export async function updateWebhook(
  { database, host: given, maker }: Management,
  id: string,
  update: WebhookUpdate,
): Promise<Webhook> {
  const { host } = requireHost(given);
  return database.transaction(async (tx) => {
    const old = await findWebhook(tx, id);
    const changes = changesIn(update);
    const subscription = { ...old, ...changes };
    const { types, actions, ...others } = changes;
    // All but the name alone.
    const takesOver = Object.keys(changes).some((term) => term !== 'name');
    requireValidWebhook(takesOver ? subscription : { ...unrestricted, ...changes }, update, maker, host);
    const { count } = await tx.webhook.updateMany({
      // The condition detects a change by somebody else in between, with which this one was not checked.
      where: { id, revision: old.revision },
      data: {
        ...others,
        types: types && words(types),
        actions: actions && words(actions),
        ...enablement(old, update.enabled),
        keyId: takesOver ? maker.keyId : undefined,
        revision: { increment: 1 },
      },
    });
    if (count === 0) throw errors.unavailable('busy');
    // Everything is attempted again now, as if nothing had failed.
    const anew = { attempts: 0, firstFailedAt: null, nextAttemptAt: new Date() };
    if (update.enabled) await tx.webhookDelivery.updateMany({ where: { webhookId: id }, data: anew });
    return findWebhook(tx, id);
  });
}

/** What an update gives, without what it leaves out. */
function changesIn({ name, url, types, actions, selection }: WebhookUpdate): Partial<WebhookTerms> {
  return {
    ...(name == null ? {} : { name }),
    ...(url == null ? {} : { url: canonical(url) }),
    ...(types === undefined ? {} : { types: unique(types) }),
    ...(actions === undefined ? {} : { actions: unique(actions) }),
    ...(selection === undefined ? {} : { selection }),
  };
}

/** A webhook that names nothing, to check the name alone. */
const unrestricted: WebhookTerms = {
  name: 'unchanged',
  url: 'https://unchanged.example.com/',
  types: [],
  actions: [],
  selection: null,
};

/** Deletes a webhook and its log; returns what it was. @throws NOT_FOUND */
export async function deleteWebhook(database: Pick<Database, 'transaction'>, id: string): Promise<Webhook> {
  return database.transaction(async (tx) => {
    const webhook = await findWebhook(tx, id);
    // First, because this row locks out the process that delivers, which would add rows to the other tables.
    await tx.webhook.delete({ where: { id } });
    await tx.webhookDelivery.deleteMany({ where: { webhookId: id } });
    await tx.webhookAttempt.deleteMany({ where: { webhookId: id } });
    return webhook;
  });
}

const words = (names: readonly string[]) => names.join(' ');

/**
 * As it will be requested, without characters that harm a terminal. A text that is no URL stays, and is refused later.
 */
const canonical = (url: string) => (url.length <= longestUrl && URL.canParse(url) ? new URL(url).href : url);

const unique = (names: readonly string[] | null | undefined) => [...new Set(names ?? [])];

/** The longest time for which the keys before a rotation sign too, in seconds: seven days. */
export const longestSecretOverlap = 7 * 24 * 60 * 60;

/**
 * Gives a webhook other signing keys; the old ones sign too for the overlap, unless WEBHOOK_KEY has changed.
 * @throws NOT_FOUND, BAD_USER_INPUT, BAD_REQUEST without webhooks
 */
export async function rotateSecret(
  { database, host }: Management,
  id: string,
  overlapSeconds: number,
): Promise<WebhookWithSecret> {
  const { masterKey } = requireHost(host);
  if (!Number.isInteger(overlapSeconds) || overlapSeconds < 0 || overlapSeconds > longestSecretOverlap) {
    throw errors.invalidAt(
      ['overlapSeconds'],
      `must be a whole number from 0 to ${longestSecretOverlap}, which is 7 days`,
    );
  }
  return database.transaction(async (tx) => {
    const old = await findWebhook(tx, id);
    const hasOld = new SigningKeys(masterKey, id, old.generation).fingerprint === old.fingerprint;
    const generation = old.generation + 1;
    const keys = new SigningKeys(masterKey, id, generation);
    const row = await tx.webhook.update({
      where: { id },
      data: {
        generation,
        fingerprint: keys.fingerprint,
        overlapUntil: hasOld && overlapSeconds > 0 ? new Date(Date.now() + overlapSeconds * 1000) : null,
        revision: { increment: 1 },
        ...(old.disabledReason === 'secret_changed' ? enablement(old, true) : {}),
      },
    });
    return withSecret(webhookOf(row), keys);
  });
}

/** What a change of webhooks needs: who makes it, and the process. */
export interface Management {
  database: Pick<Database, 'client' | 'transaction'>;
  host: WebhookHost | undefined;
  maker: Maker;
}

/** Those of the gateways of this process, by what stands for each in the context of a request. */
export const webhookHosts = new WeakMap<object, WebhookHost>();

export const managementOf = ({ database, gateway, identity }: RequestContext): Management => ({
  database,
  host: gateway && webhookHosts.get(gateway),
  maker: identity,
});

const webhooksOff = (why = 'This gateway has no webhooks.') => new GatewayError('webhooks_off', invalidRequest, why);

/** @throws BAD_REQUEST if the process has no key or no journal for webhooks */
export function requireHost(host: WebhookHost | undefined) {
  if (!host) throw webhooksOff();
  const { journal } = host;
  const masterKey = webhookSettings.of(host.config).webhookKey;
  if (masterKey === undefined) {
    throw webhooksOff('There are no webhooks without the setting WEBHOOK_KEY. Set it first.');
  }
  if (!journal?.isKept) {
    throw webhooksOff('There are no webhooks without the journal of changes. Set JOURNAL=true.');
  }
  return { host, masterKey, journal };
}

/** What to store when a webhook is enabled or disabled by hand; nothing if it is left as it is. */
function enablement(old: Webhook, enabled: boolean | null | undefined) {
  if (enabled === true) return { disabledAt: null, disabledReason: null, failures: 0, failingSince: null };
  if (enabled === false && !old.disabledAt) return { disabledAt: new Date(), disabledReason: 'by_hand' };
  return {};
}
