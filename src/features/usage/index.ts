/** Who calls what, and who still uses deprecated endpoints and fields. */
import type { Feature } from '../../gateway/feature.js';
import { addUsage } from './usage-command.js';
import { usageSettings } from './usage-settings.js';

export const usage: Feature = {
  name: 'usage',
  needs: ['keys'],
  settings: usageSettings,
  commands: addUsage,
  served: async () => (await import('./serve-usage.js')).serveUsage(),
};
