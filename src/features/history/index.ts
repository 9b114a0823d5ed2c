/** The versions of a record, and records as they were. */
import type { Feature } from '../../gateway/feature.js';

export const history: Feature = {
  name: 'history',
  served: async () => (await import('./schema/history-fields.js')).servedHistory,
};
