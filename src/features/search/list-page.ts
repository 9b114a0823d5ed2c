import type { RequestContext } from '../../change/context.js';
import type { Resource } from '../../model/resource.js';
import type { Selection } from '../../query/delegate.js';
import type { PageArguments } from '../../query/extent.js';
import { conditionOf } from '../../query/filter.js';
import { type ListRequest, listOf } from '../../query/list.js';
import { type Page, pageOf } from '../../query/page.js';
import { keysOf } from '../../query/sort.js';
import { rarestFirst } from './rarest-first.js';
import { bestFirst, searchedPage } from './searched-page.js';
import { soughtWords } from './sought-words.js';

interface Request extends Omit<ListRequest, 'parentId'> {
  search?: string | null | undefined;
  selection: Selection;
  arguments: PageArguments;
}

/** A page of all records of a type, or of those that a search finds. */
export async function listPage(
  context: Pick<RequestContext, 'database'>,
  resource: Resource,
  { search, where, orderBy, selection, arguments: page }: Request,
): Promise<Page> {
  const words = soughtWords(search, 'search');
  // A text without words leaves nothing out.
  const common = { selection, arguments: page };
  if (words.length === 0) return pageOf(context, resource, { ...listOf(resource, { where, orderBy }), ...common });
  const ordered = await rarestFirst(context, [resource], words, 'search');
  const keys = keysOf(resource, orderBy, bestFirst(words));
  return searchedPage(context, resource, { words: ordered, where: conditionOf(resource, where), keys, ...common });
}
