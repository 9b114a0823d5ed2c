/** Webhooks: changes are sent to the addresses that clients name. */
import type { Feature } from '../../gateway/feature.js';
import { addWebhooks } from './commands/webhooks-command.js';

export const webhooks: Feature = {
  name: 'webhooks',
  commands: addWebhooks,
  served: async () => {
    const [{ addWebhookFields }, { describedWebhooks }] = await Promise.all([
      import('./schema/webhook-fields.js'),
      import('./described-webhooks.js'),
    ]);
    return {
      schema: addWebhookFields,
      describe: (description) => {
        description.webhooks = describedWebhooks;
      },
    };
  },
};
