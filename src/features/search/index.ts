/** Finds records by their words. */
import type { Feature } from '../../gateway/feature.js';

export const search: Feature = {
  name: 'search',
  checks: async () => [(await import('./check-index.js')).searchIndex],
  async served() {
    const { addSearch, answerSearched, searchArgument } = await import('./schema/search-fields.js');
    const { startSearch } = await import('./keep-search.js');
    return { schema: addSearch, arguments: searchArgument, guard: answerSearched, start: startSearch };
  },
};
