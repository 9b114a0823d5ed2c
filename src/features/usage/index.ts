/** Who calls what, and who still uses deprecated endpoints and fields. */
import type { Feature } from '../../gateway/feature.js';
import { addUsage } from './usage-command.js';

export const usage: Feature = {
  name: 'usage',
  commands: addUsage,
  served: async () => (await import('./serve-usage.js')).serveUsage(),
};
