import type { RequestContext } from '../change/context.js';
import type { Resource } from '../model/resource.js';
import { delegate, type Where } from './delegate.js';
import { isForSql } from './linked.js';
import { countBySql } from './list-sql.js';

/**
 * The number of records. A whole list is not counted: the database maintains its number (`RecordCount`), so the cost
 * does not depend on the table's size.
 */
export async function totalOf(
  { database: { client } }: Pick<RequestContext, 'database'>,
  resource: Resource,
  where: Where,
): Promise<number> {
  if (isForSql(resource, where)) return countBySql(client, resource, where);
  if (!isWholeList(resource, where)) return delegate(client, resource).count({ where });
  const { _sum } = await client.recordCount.aggregate({ where: { model: resource.model }, _sum: { count: true } });
  return _sum.count ?? 0;
}

/** Whether the condition selects all records of a type that is counted by triggers. */
export const isWholeList = ({ kind }: Resource, where: Where): boolean =>
  kind === 'resource' && Object.keys(where).length === 0;
