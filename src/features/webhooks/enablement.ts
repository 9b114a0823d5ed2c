import type { Webhook } from './webhook.js';

/** What to store when a webhook is enabled or disabled by hand; nothing if it is left as it is. */
export function enablement(old: Webhook, enabled: boolean | null | undefined) {
  if (enabled === true) return { disabledAt: null, disabledReason: null, failures: 0, failingSince: null };
  if (enabled === false && !old.disabledAt) return { disabledAt: new Date(), disabledReason: 'by_hand' };
  return {};
}
