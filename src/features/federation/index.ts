/** Entities for routers of Apollo Federation (FEDERATION). */
import type { Feature } from '../../gateway/feature.js';

export const federation: Feature = {
  name: 'federation',
  async served() {
    const { addFederation } = await import('./federation-fields.js');
    return { schema: (builder, resources, settings) => settings.federation && addFederation(builder, resources) };
  },
};
