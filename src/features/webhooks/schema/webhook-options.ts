/** What the fields that manage webhooks have in common. */
import type { RequestContext } from '../../../change/context.js';
import { withAccess } from '../../../graphql/guards/guard-scopes.js';
import type { Management } from '../manage-webhooks.js';
import { webhookHostOf } from '../webhook-host.js';

export const byWebhookManagers = withAccess({ scope: 'webhooks' });
export const needsScope = 'Needs the scope `webhooks`.';

export const managementOf = ({ database, gateway, identity }: RequestContext): Management => ({
  database,
  host: webhookHostOf({ gateway }),
  maker: identity,
});

/** The log names webhooks by their ids: a URL may hold a secret. */
export function note({ log, identity }: RequestContext, id: string, message: string): void {
  log.info({ webhook: id, by: identity.keyId }, message);
}
