/** Webhooks: changes are sent to the addresses that clients name. */
import type { Feature } from '../../gateway/feature.js';
import { addWebhooks } from './commands/webhooks-command.js';
import { webhookSettings } from './webhook-settings.js';

export const webhooks: Feature = {
  name: 'webhooks',
  settings: webhookSettings,
  commands: addWebhooks,
  restored: async () => (await import('./delivery/announce-restored.js')).announceInBackup,
  served: async (_, measure) => (await import('./serve-webhooks.js')).serveWebhooks(measure),
};
