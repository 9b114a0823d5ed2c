/** Streams of changes. */
import type { Feature } from '../../gateway/feature.js';

export const live: Feature = {
  name: 'live',
  served: async () => ({ schema: (await import('./schema/subscriptions.js')).addSubscriptions }),
};
