/** Entities for routers of Apollo Federation (FEDERATION). */
import { valuesOfFeature } from '../../gateway/config/config.js';
import { flag, setting } from '../../gateway/config/setting.js';
import type { Feature } from '../../gateway/feature.js';

const settings = {
  after: 'lockSubmitted' as const,
  entries: {
    federation: setting({
      name: 'FEDERATION',
      form: flag,
      default: 'false',
      meaning:
        'Whether the GraphQL schema is a subgraph of Apollo Federation, with _entities and _service (docs/federation.md).',
      requirement: 'must be true or false',
    }),
  },
};

export const federation: Feature = {
  name: 'federation',
  settings,
  served: async (config) =>
    valuesOfFeature(config, settings).federation
      ? { schema: (await import('./federation-fields.js')).addFederation }
      : {},
};
