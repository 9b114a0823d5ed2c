/** Finds records by their words. */
import { settingsAfter } from '../../gateway/config/config.js';
import { flag, setting } from '../../gateway/config/setting.js';
import type { Feature } from '../../gateway/feature.js';

const settings = settingsAfter('lockSubmitted', {
  search: setting({
    ...flag,
    default: 'false',
    meaning:
      'Whether the words of texts are indexed, so that lists can be searched. Existing records are indexed after the start. Give all processes the same setting.',
  }),
});

export const search: Feature = {
  name: 'search',
  settings,
  checks: async () => [(await import('./check-index.js')).searchIndex],
  writes: async () => (await import('./index/index-plan.js')).indexingWriter(true),
  served: async (config) => (await import('./keep-search.js')).serveSearch(settings.of(config).search),
};
