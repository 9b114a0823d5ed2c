import type { ServedFeature } from '../../gateway/feature.js';
import { indexingWriter } from './index/index-plan.js';
import { startSearch } from './keep-search.js';
import { addSearch, answerSearched, searchArgument } from './schema/search-fields.js';

/** What a gateway that serves has of searches; with `isKept` it keeps the index. */
export const serveSearch = (isKept: boolean): ServedFeature => ({
  schema: addSearch,
  arguments: searchArgument,
  guard: answerSearched,
  start: startSearch(isKept),
  write: isKept ? indexingWriter(false) : undefined,
});
