/** Finds records by their words. */
import type { Feature } from '../../gateway/feature.js';

export const search: Feature = {
  name: 'search',
  served: async () => ({ schema: (await import('./schema/search-fields.js')).addSearch }),
};
