import type { RequestContext } from '../context.js';
import type { Resource } from '../model/resource.js';
import { delegate, type Where } from './delegate.js';

/**
 * How many records there are. A whole list is not counted: the database keeps its number (see `RecordCount`), so the
 * answer costs the same at a million records as at a thousand.
 */
export async function totalOf(
  { database: { client } }: Pick<RequestContext, 'database'>,
  resource: Resource,
  where: Where,
): Promise<number> {
  if (!isWholeList(resource, where)) return delegate(client, resource).count({ where });
  const { _sum } = await client.recordCount.aggregate({ where: { model: resource.model }, _sum: { count: true } });
  return _sum.count ?? 0;
}

/** Whether the condition leaves nothing out of the records that are counted as they come and go. */
export const isWholeList = ({ kind }: Resource, where: Where): boolean =>
  kind === 'resource' && Object.keys(where).length === 0;
