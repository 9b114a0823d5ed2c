/** The two kinds of lists: all records of a type, newest first, and the lines of one parent by position. */
import type { Resource } from '../model/resource.js';
import type { Where } from './delegate.js';
import { conditionOf, type Filter, whereOf } from './filter.js';
import { byPosition, newestFirst, type SortKeys } from './keyset.js';
import { scopeOf } from './scope.js';
import { keysOf, type OrderBy } from './sort.js';

export interface ListRequest {
  /** Only for lines, which are always listed by parent. */
  parentId?: string;
  where?: Filter | null | undefined;
  orderBy?: readonly OrderBy[] | null | undefined;
}

export function listOf(
  resource: Resource,
  { parentId, where, orderBy }: ListRequest,
): { where: Where; keys: SortKeys } {
  if (parentId === undefined) {
    return { where: conditionOf(resource, where), keys: keysOf(resource, orderBy, newestFirst) };
  }
  const siblings = { [scopeOf(resource)]: parentId };
  return {
    where: where ? { AND: [siblings, whereOf(resource, where)] } : siblings,
    keys: keysOf(resource, orderBy, byPosition),
  };
}
