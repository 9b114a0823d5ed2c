/** Streams of changes. */
import type { Feature } from '../../gateway/feature.js';

export const live: Feature = {
  name: 'live',
  async served() {
    const [{ addSubscriptions }, { Hub }] = await Promise.all([
      import('./schema/subscriptions.js'),
      import('./hub.js'),
    ]);
    return { schema: addSubscriptions, join: (gateway) => ({ streams: new Hub(gateway) }) };
  },
};
