/** Entities for routers of Apollo Federation (FEDERATION). */
import { settingsAfter } from '../../gateway/config/config.js';
import { flag, setting } from '../../gateway/config/setting.js';
import type { Feature } from '../../gateway/feature.js';

const settings = settingsAfter('lockSubmitted', {
  federation: setting({
    ...flag,
    default: 'false',
    meaning:
      'Whether the GraphQL schema is a subgraph of Apollo Federation, with _entities and _service (docs/federation.md).',
  }),
});

export const federation: Feature = {
  name: 'federation',
  settings,
  served: async (config) =>
    settings.of(config).federation ? { schema: (await import('./federation-fields.js')).addFederation } : {},
};
