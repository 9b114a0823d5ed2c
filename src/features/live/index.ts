/** Streams of changes. */
import type { Feature } from '../../gateway/feature.js';

export const live: Feature = { name: 'live', served: async () => (await import('./hub.js')).servedLive };
