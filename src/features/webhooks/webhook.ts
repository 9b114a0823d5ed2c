/** Webhooks as their administrators see them. */

import type { RecordModel } from '../../model/catalogue.js';
import type { ChangeAction } from '../../model/change.js';

export interface Webhook {
  /** `wh_` and twelve characters. */
  id: string;
  name: string;
  url: string;
  /** The record types whose changes it receives; empty for all. */
  types: RecordModel[];
  /** The actions it receives; empty for all. */
  actions: ChangeAction[];
  /** The GraphQL selection on the record in its messages; null for none. */
  selection: string | null;
  /** The id of the API key whose scopes decide what it receives. */
  keyId: string;
  createdAt: Date;
  /** Everything up to this position of the journal is delivered, or is being attempted again. */
  position: number;
  /** Attempts in a row that have failed. */
  failures: number;
  /** When the first of them failed. */
  failingSince: Date | null;
  disabledAt: Date | null;
  disabledReason: DisabledReason | null;
  generation: number;
  fingerprint: string;
  /** Until then the keys before the last rotation sign too. */
  overlapUntil: Date | null;
  revision: number;
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

/** The input for a new webhook. */
export interface WebhookInput {
  name: string;
  url: string;
  types?: readonly string[] | null;
  actions?: readonly string[] | null;
  selection?: string | null;
}

/** Changes to a webhook; what is left out stays. */
export interface WebhookUpdate extends Pick<WebhookInput, 'types' | 'actions' | 'selection'> {
  name?: string | null;
  url?: string | null;
  enabled?: boolean | null;
}

export function webhookState({ disabledAt, failures }: Webhook): 'active' | 'failing' | 'disabled' {
  if (disabledAt) return 'disabled';
  return failures > 0 ? 'failing' : 'active';
}

/** All actions that a webhook can receive. */
export const webhookActions: readonly ChangeAction[] = ['create', 'update', 'submit', 'cancel', 'delete', 'move'];
