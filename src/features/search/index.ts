/** Finds records by their words. */
import type { Feature } from '../../gateway/feature.js';

export const search: Feature = {
  name: 'search',
  checks: async () => [(await import('./check-index.js')).searchIndex],
  writes: async () => (await import('./index/index-plan.js')).indexingWriter(true),
  async served({ search: isKept }) {
    const { addSearch, answerSearched, searchArgument } = await import('./schema/search-fields.js');
    const { startSearch } = await import('./keep-search.js');
    const { indexingWriter } = await import('./index/index-plan.js');
    const write = isKept ? indexingWriter(false) : undefined;
    return { schema: addSearch, arguments: searchArgument, guard: answerSearched, start: startSearch, write };
  },
};
