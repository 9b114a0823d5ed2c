import type { TransactionClient } from '../../database/open-database.js';
import { catalogue, type RecordModel } from '../../model/catalogue.js';
import type { ChangeAction } from '../../model/change.js';
import { errors } from '../../model/errors/errors.js';
import { newest, type OwnPage, ownPage } from '../../query/own-page.js';
import type { PageArguments } from '../../query/page.js';
import { type DisabledReason, disabledReasons, type Webhook, webhookActions } from './webhook.js';

/** All webhooks, newest first. */
export async function listWebhooks(client: TransactionClient): Promise<Webhook[]> {
  return (await client.webhook.findMany({ orderBy: newest('desc') })).map(webhookOf);
}

/** @throws BAD_USER_INPUT for a cursor of another list */
export function pageOfWebhooks(client: TransactionClient, given: PageArguments): OwnPage<Webhook> {
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
type StoredWebhook = Omit<Webhook, 'types' | 'actions' | 'position' | 'disabledReason'> & {
  types: string;
  actions: string;
  position: bigint;
  disabledReason: string | null;
};

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
const isAction = (name: string): name is ChangeAction => webhookActions.some((action) => action === name);
const isReason = (text: string | null): text is DisabledReason => text !== null && text in disabledReasons;
