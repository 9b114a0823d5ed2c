/**
 * The SQL of a list that a request chooses, by the rules of the resolvers. A page is found first, by ids and sort values
 * alone; JSON is made of its records only.
 */
import { Prisma } from '../generated/sqlite/client.js';
import type { Resource } from '../model/resource.js';
import { conditionSql, groundOf } from '../records/condition.js';
import type { Where } from '../records/delegate.js';
import { isWholeList } from '../records/total.js';
import type { AskedList } from './asked-list.js';
import type { Dialect } from './dialect.js';
import type { Frame } from './frame.js';
import { orderSql, readableColumns, sortColumns } from './sorted.js';

/** What stands behind the objects of `page."id"`: the total, whether the list goes on, the columns of cursors. */
export function pageSql(dialect: Dialect, resource: Resource, frame: Frame, request: AskedList): Prisma.Sql {
  const { where, bounds, behind, keys, backwards, size, offset } = request;
  // What is skipped goes before the page.
  const isSkipped = offset > 0 && Prisma.sql`1`;
  const goesOn = asksEdge(frame, request) ? isSkipped || anySql(resource, request, [where, ...behind]) : nothing;
  const ground = groundOf(resource, 'found');
  const take = size + ((backwards ? frame.needsPrevious : frame.needsNext) ? 1 : 0);
  return Prisma.sql`${totalSql(resource, frame, request)}, ${goesOn},
      ${readableColumns(dialect, keys, 'page')}
    FROM (
      SELECT ${sortColumns(keys, ground)} FROM ${table(resource)} AS found
      WHERE ${conditionSql({ AND: [where, ...bounds] }, ground)}
      ORDER BY ${orderSql(keys, backwards, ground)} LIMIT ${take} OFFSET ${offset}
    ) AS page ORDER BY ${orderSql(keys, backwards, groundOf(resource, 'page'))}`;
}

/** The total, and whether there is any record in front of a page without records, or behind it. */
export function aroundSql(resource: Resource, frame: Frame, request: AskedList): Prisma.Sql {
  const goesOn = asksEdge(frame, request) ? anySql(resource, request, [request.where]) : nothing;
  return Prisma.sql`${totalSql(resource, frame, request)}, ${goesOn}`;
}

/** Whether it is asked, and open, if the list goes on behind the edge that is not read over. */
const asksEdge = ({ needsNext, needsPrevious }: Frame, { backwards, isOpen }: AskedList): boolean =>
  isOpen && (backwards ? needsNext : needsPrevious);

/** 1 where a record of the conditions is there. Without an order PostgreSQL would look for it from the table's start. */
function anySql(resource: Resource, { keys, backwards }: AskedList, conditions: Where[]): Prisma.Sql {
  const ground = groundOf(resource, 'other');
  return Prisma.sql`(SELECT 1 FROM ${table(resource)} AS other WHERE ${conditionSql({ AND: conditions }, ground)}
    ORDER BY ${orderSql(keys, !backwards, ground)} LIMIT 1)`;
}

function totalSql(resource: Resource, { needsTotal }: Frame, { where }: AskedList): Prisma.Sql {
  if (!needsTotal) return nothing;
  if (isWholeList(resource, where)) {
    return Prisma.sql`(SELECT sum("count") FROM "RecordCount" WHERE "model" = ${resource.model})`;
  }
  const condition = conditionSql(where, groundOf(resource, 'counted'));
  return Prisma.sql`(SELECT count(*) FROM ${table(resource)} AS counted WHERE ${condition})`;
}

const nothing = Prisma.sql`NULL`;
const table = ({ model }: Resource): Prisma.Sql => Prisma.raw(`"${model}"`);
