import type { Journal } from '../../change/journal/journal.js';
import type { Config } from '../../gateway/config/config.js';
import { WebhookDeliverer } from './delivery/webhook-deliverer.js';
import type { DeliveryParts } from './delivery/worker-parts.js';

interface DeliveringParts extends Pick<DeliveryParts, 'database' | 'log' | 'readPayload' | 'onAttempt'> {
  journal: Journal;
  config: Pick<Config, 'webhookKey' | 'webhookAllow'>;
}

/** Begins to deliver webhooks; undefined without WEBHOOK_KEY or without a journal, because there are none then. */
export function startDelivering({ journal, config, ...others }: DeliveringParts): WebhookDeliverer | undefined {
  const { webhookKey: masterKey, webhookAllow: allowed } = config;
  if (masterKey === undefined || !journal.isKept) return undefined;
  return new WebhookDeliverer({ ...others, journal, masterKey, allowed });
}
