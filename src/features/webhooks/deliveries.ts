/** What administrators see of deliveries, and how they ask for one. */
import { randomUUID } from 'node:crypto';
import type { Database, TransactionClient } from '../../database/open-database.js';
import { validKeys } from '../../gateway/access/authenticator.js';
import { errors } from '../../model/errors/errors.js';
import { ownPage } from '../../query/own-page.js';
import type { Page, PageArguments } from '../../query/page.js';
import { concerns, gapDocument, mayBeTold, messageIdOf, positionIn } from './delivery/message.js';
import { findWebhook, heldFrom, type Management, requireHost, webhookOf } from './manage-webhooks.js';
import type { Webhook } from './webhook.js';

type StoredAttempt = Awaited<ReturnType<TransactionClient['webhookAttempt']['findMany']>>[number];

export interface WebhookAttempt extends Omit<StoredAttempt, 'position'> {
  /** The position in the journal of the change it reports; null for a test. */
  position: number | null;
}

/** Attempts of which the log keeps those of each webhook. */
export const keptAttempts = 1000;

/** A page of the attempts of a webhook, the newest first. @throws NOT_FOUND, BAD_USER_INPUT for a cursor of another list */
export async function pageOfAttempts(
  client: TransactionClient,
  webhookId: string,
  given: PageArguments,
): Promise<Page<WebhookAttempt>> {
  await findWebhook(client, webhookId);
  return ownPage(
    {
      name: `attempts_${webhookId}`,
      isTimed: false,
      read: async ({ where, order, ...range }) => {
        const ofWebhook = { AND: [{ webhookId }, ...where] };
        const rows = await client.webhookAttempt.findMany({ where: ofWebhook, orderBy: { id: order }, ...range });
        return rows.map((row) => ({ ...row, position: row.position === null ? null : Number(row.position) }));
      },
      count: () => client.webhookAttempt.count({ where: { webhookId } }),
    },
    given,
  );
}

/**
 * Delivers again everything after a position of the journal, in order and with the same message ids. A position beyond
 * that of the webhook skips nothing; it only changes when waiting deliveries are attempted. @throws NOT_FOUND,
 * BAD_USER_INPUT if the journal no longer holds it, BAD_REQUEST without webhooks
 */
export async function replayWebhook({ database, host }: Management, id: string, after: number): Promise<Webhook> {
  const { journal } = requireHost(host);
  const { last } = await journal.continuationOf(0);
  const known = Number.isSafeInteger(after) ? await journal.lastUpTo(after) : 0;
  return database.transaction(async (tx) => {
    const { position: reached } = await findWebhook(tx, id);
    const oldest = await heldFrom(tx);
    if (!Number.isInteger(after) || after < oldest || after > last) {
      throw errors.invalidAt(['after'], `must be a position that the journal holds: from ${oldest} to ${last}`);
    }
    const position = Math.min(reached, Math.max(oldest, known));
    // First, because this row locks out the process that delivers, which would add rows to the other tables.
    const row = await tx.webhook.update({ where: { id }, data: { position, revision: { increment: 1 } } });
    // Deliveries that wait for another attempt are read again from the journal with all others, except for those that
    // are not in it.
    const isOfJournal = { position: { gt: position }, document: { not: gapDocument } };
    await tx.webhookDelivery.deleteMany({ where: { webhookId: id, ...isOfJournal } });
    return webhookOf(row);
  });
}

/**
 * Delivers one message again, at once and without regard to the order. @throws NOT_FOUND, BAD_USER_INPUT if the id is
 * none of this webhook's, or the journal no longer holds the change, or the webhook is disabled
 */
export async function redeliver({ database, host }: Management, webhookId: string, messageId: string): Promise<string> {
  const { journal, host: known } = requireHost(host);
  const position = positionIn(webhookId, messageId);
  const [entry] = position === undefined ? [] : (await journal.read(position - 1, 1)).entries;
  if (!entry || entry.position !== position) throw notHeld();
  const webhook = await findWebhook(database.client, webhookId);
  const identity = (await validKeys(known.database, [webhook.keyId], known.grants)).get(webhook.keyId);
  // Otherwise it would be acknowledged, and never be sent.
  const isTold = concerns(webhook, entry) && (!identity || (await mayBeTold(identity, entry, known.database)));
  if (!isTold) throw notHeld();
  return ask(database, webhookId, { id: messageId, position, document: entry.document.id });
}

const notHeld = () =>
  errors.invalidAt(['messageId'], 'is the id of no message of this webhook whose change the journal still holds');

/** Sends a message of type `test`, once. Returns its id, by which the log names it. @throws NOT_FOUND, BAD_USER_INPUT */
export async function testWebhook(database: Pick<Database, 'transaction'>, webhookId: string): Promise<string> {
  const id = messageIdOf(webhookId, `test_${randomUUID()}`);
  return ask(database, webhookId, { id, position: null, document: id });
}

/** Asks the process that delivers for a message. Returns its id. */
async function ask(
  database: Pick<Database, 'transaction'>,
  webhookId: string,
  { id, ...message }: { id: string; position: number | null; document: string },
): Promise<string> {
  return database.transaction(async (tx) => {
    const { disabledAt } = await findWebhook(tx, webhookId);
    if (disabledAt) throw errors.invalidAt(['id'], 'is disabled, so nothing is delivered to it; enable it first');
    if (message.position !== null && message.position <= (await heldFrom(tx))) throw notHeld();
    const now = new Date();
    const again = { nextAttemptAt: now, requestedAt: now };
    const create = { id, webhookId, ...message, attempts: 0, ...again };
    await tx.webhookDelivery.upsert({ where: { id }, create, update: again });
    return id;
  });
}
