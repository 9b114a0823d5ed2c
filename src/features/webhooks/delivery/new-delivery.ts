import type { TransactionClient } from '../../../database/open-database.js';
import type { Delivery } from './delivery-queue.js';
import type { FeedEntry } from './journal-feed.js';
import { gapIdOf, messageIdOf, type WebhookIdentity } from './message.js';

/** The state of a delivery that was never attempted and is due at once. */
export const notAttempted = {
  attempts: 0,
  unmade: 0,
  unread: 0,
  firstFailedAt: undefined,
  dueAt: 0,
  requestedAt: undefined,
} satisfies Partial<Delivery>;

/** The first delivery of an entry to a webhook. The changed values of the entry, which may be large, are not kept. */
export function newDelivery(webhookId: string, entry: FeedEntry): Delivery {
  const { position, at, action, resource, id, version, document } = entry;
  return {
    messageId: messageIdOf(webhookId, position),
    position,
    document: document.id,
    entry: { position, at, action, resource, id, document, version },
    ...notAttempted,
  };
}

/**
 * Announcements of missing changes are delivered one after the other, as the changes of a document are. No record has this
 * id: those that are made, and those that an import accepts, begin with the name of their type and an underscore.
 */
export const gapDocument = 'gap';

/**
 * The announcement that the changes after a position up to another are missing. It has the first of these positions, so
 * that the webhook stays there until it is delivered or stored.
 */
export function gapDelivery(webhookId: string, after: number, until: number): Delivery {
  return {
    messageId: gapIdOf(webhookId, after, until),
    position: after + 1,
    document: gapDocument,
    entry: undefined,
    ...notAttempted,
  };
}

/** The keys of these ids that are neither revoked nor expired. */
export async function usableIdentities(
  client: TransactionClient,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, WebhookIdentity>> {
  const rows = await client.apiKey.findMany({
    where: {
      id: { in: [...new Set(keyIds)] },
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
    },
  });
  return new Map(rows.map(({ id, name, scopes }) => [id, { keyId: id, name, scopes: scopes.split(' ') }]));
}
