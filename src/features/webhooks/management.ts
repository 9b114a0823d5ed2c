import type { WebhookHost } from '../../change/context.js';
import type { Database } from '../../database/open-database.js';
import { errors } from '../../model/errors/errors.js';
import type { Maker } from './webhook-problems.js';

/** What a change of webhooks needs: who makes it, and the process. */
export interface Management {
  database: Pick<Database, 'client' | 'transaction'>;
  host: WebhookHost | undefined;
  maker: Maker;
}

/** @throws BAD_REQUEST if the process has no key or no journal for webhooks */
export function requireHost(host: WebhookHost | undefined) {
  if (!host) throw errors.badRequest('webhooks_off');
  const { masterKey, journal } = host;
  if (masterKey === undefined) {
    throw errors.badRequest('webhooks_off', 'There are no webhooks without the setting WEBHOOK_KEY. Set it first.');
  }
  if (!journal) {
    throw errors.badRequest('webhooks_off', 'There are no webhooks without the journal of changes. Set JOURNAL=true.');
  }
  return { host, masterKey, journal };
}
