/** Streams of changes. */
import type { Feature } from '../../gateway/feature.js';

export const live: Feature = {
  name: 'live',
  async served() {
    const [{ addSubscriptions }, { eventsEndpoint }, { Hub }] = await Promise.all([
      import('./schema/subscriptions.js'),
      import('./events-endpoint.js'),
      import('./hub.js'),
    ]);
    return {
      schema: addSubscriptions,
      endpoints: eventsEndpoint,
      join: (gateway) => ({ streams: new Hub(gateway) }),
    };
  },
};
