/** Webhooks as their administrators see them. */

import { isHostOrNetwork } from '../../common/network.js';
import type { TransactionClient } from '../../database/open-database.js';
import { settingsAfter } from '../../gateway/config/config.js';
import { list, setting, text } from '../../gateway/config/setting.js';
import type { RecordModel } from '../../model/catalogue.js';
import type { ChangeAction } from '../../model/change.js';

/** A row of the table Webhook; `prisma/models/gateway.prisma` says what each column means. */
export type StoredWebhook = Awaited<ReturnType<TransactionClient['webhook']['findMany']>>[number];

export interface Webhook extends Omit<StoredWebhook, 'types' | 'actions' | 'position' | 'disabledReason'> {
  /** The record types whose changes it receives; empty for all. */
  types: RecordModel[];
  /** The actions it receives; empty for all. */
  actions: ChangeAction[];
  /** Everything up to this position of the journal is delivered, or is being attempted again. */
  position: number;
  disabledReason: DisabledReason | null;
}

export type DisabledReason = keyof typeof disabledReasons;

/** Why nothing is delivered. */
export const disabledReasons = {
  by_hand: 'Somebody disabled it.',
  failing: 'A delivery has failed for three days.',
  gone: 'The receiver answered 410: it wants no more.',
  key_ended: 'Its API key was revoked or has expired.',
  secret_changed: 'WEBHOOK_KEY has another value than when its secret was made; rotate its secret.',
} as const;

/** A webhook with its secret. This is the only time it is returned. */
export interface WebhookWithSecret {
  webhook: Webhook;
  /** For `v1`, such as `whsec_…`. */
  secret: string;
  /** For `v1a`, such as `whpk_…`. */
  publicKey: string;
}

/** What a webhook receives, and at which URL. */
export type WebhookTerms = Pick<Webhook, 'name' | 'url' | 'selection'> & Record<'types' | 'actions', readonly string[]>;

/** Changes to a webhook; what is left out stays. */
export type WebhookUpdate = { [Term in keyof WebhookTerms]?: WebhookTerms[Term] | null } & { enabled?: boolean | null };

export type WebhookInput = Omit<WebhookUpdate, 'enabled'> & Pick<WebhookTerms, 'name' | 'url'>;

export function webhookState({ disabledAt, failures }: Webhook): 'active' | 'failing' | 'disabled' {
  if (disabledAt) return 'disabled';
  return failures > 0 ? 'failing' : 'active';
}

export const webhookSettings = settingsAfter('trustedProxies', {
  webhookKey: setting({
    form: text.regex(/^[\x21-\x7e]{32,256}$/).optional(),
    meaning:
      'The key from which the signing secrets of webhooks are derived, the same for all processes. If not set, there are no webhooks.',
    requirement: 'must be 32 to 256 visible ASCII characters without spaces; `openssl rand -hex 32` makes a good one',
    secret: true,
    isHidden: true,
  }),
  webhookAllow: setting({
    form: list(text).refine((entries) => entries.every(isHostOrNetwork)),
    meaning:
      'Hosts that are not public but may receive webhooks, separated by commas: names, addresses, or networks like 10.0.0.0/8.',
    requirement: 'must be names of hosts, addresses or networks like 10.0.0.0/8, separated by commas',
  }),
});
