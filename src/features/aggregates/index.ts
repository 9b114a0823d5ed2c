/** Sums, counts and groups of records. */
import type { Feature } from '../../gateway/feature.js';

export const aggregates: Feature = {
  name: 'aggregates',
  served: async () => ({ schema: (await import('./schema/aggregate-fields.js')).addAggregates }),
};
