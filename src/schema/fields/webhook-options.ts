/** What the fields that manage webhooks have in common. */
import type { RequestContext } from '../../context.js';
import { largestPageSize } from '../../model/limits.js';
import type { Management } from '../../webhooks/management.js';
import type { Builder } from '../builder.js';
import { withAccess } from '../guards/guard-scopes.js';
import { constrained } from '../inputs/constraint.js';

export const byWebhookManagers = withAccess({ scope: 'webhooks' });
export const needsScope = 'Needs the scope `webhooks`.';

export const limitAndOffset = (builder: Builder) =>
  builder.args((t) => ({
    limit: t.int({
      required: true,
      defaultValue: 100,
      description: `At most this many, 1 to ${largestPageSize}.`,
      ...constrained({ minimum: 1, maximum: largestPageSize }),
    }),
    offset: t.int({
      required: true,
      defaultValue: 0,
      description: 'How many to skip first, 0 or more.',
      ...constrained({ minimum: 0 }),
    }),
  }));

export const managementOf = ({ database, webhooks, identity }: RequestContext): Management => ({
  database,
  host: webhooks,
  maker: identity,
});

/** The log names webhooks by their ids: a URL may hold a secret. */
export function note({ log, identity }: RequestContext, id: string, message: string): void {
  log.info({ webhook: id, by: identity.keyId }, message);
}
