import type { ServedFeature } from '../../gateway/feature.js';
import { eventsEndpoint } from './events-endpoint.js';
import { Hub } from './hub.js';
import { addSubscriptions } from './schema/subscriptions.js';

/** What a gateway that serves has of streams. */
export const servedLive: ServedFeature = {
  schema: addSubscriptions,
  endpoints: eventsEndpoint,
  join: (gateway) => ({ streams: new Hub(gateway) }),
};
