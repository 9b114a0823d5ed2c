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
  async served(config) {
    const { search: isKept } = settings.of(config);
    const { addSearch, answerSearched, searchArgument } = await import('./schema/search-fields.js');
    const { startSearch } = await import('./keep-search.js');
    const { indexingWriter } = await import('./index/index-plan.js');
    const write = isKept ? indexingWriter(false) : undefined;
    return { schema: addSearch, arguments: searchArgument, guard: answerSearched, start: startSearch(isKept), write };
  },
};
