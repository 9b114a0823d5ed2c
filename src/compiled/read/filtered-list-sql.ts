/**
 * The SQL of a list that depends on the request. It finds the page by ids and sort values only, and then builds JSON
 * for its records alone.
 */
import { Prisma } from '../../generated/sqlite/client.js';
import type { Resource } from '../../model/resource.js';
import { columnResolverOf, conditionSql } from '../../records/condition.js';
import type { Where } from '../../records/delegate.js';
import { orderSql } from '../../records/list-sql.js';
import { isWholeList } from '../../records/total.js';
import type { Dialect } from '../sql/dialect.js';
import { limitSql } from '../sql/limit.js';
import { readableColumns, sortColumns } from '../sql/sorted.js';
import type { PageTemplate } from './page-template.js';
import type { RequestedList } from './requested-list.js';

/**
 * The columns after the objects of `page."id"` (total, whether the list continues, columns of the cursors if they are
 * needed), and the rest of the statement.
 */
export function pageSql(dialect: Dialect, resource: Resource, frame: PageTemplate, request: RequestedList): Prisma.Sql {
  const { where, bounds, behind, keys, backwards, size, offset } = request;
  // Skipped rows precede the page.
  const isSkipped = offset > 0 && Prisma.sql`1`;
  const goesOn = asksEdge(frame, request) ? isSkipped || anySql(resource, request, [where, ...behind]) : nothing;
  const ground = columnResolverOf(resource, 'found');
  const take = size + ((backwards ? frame.needsPrevious : frame.needsNext) ? 1 : 0);
  return Prisma.sql`${totalSql(resource, frame, request)}, ${goesOn},
      ${readableColumns(dialect, frame.needsCursors ? keys : [], 'page')}
    FROM (
      SELECT ${sortColumns(keys, ground)} FROM ${table(resource)} AS found
      WHERE ${conditionSql({ AND: [where, ...bounds] }, ground)}
      ORDER BY ${orderSql(keys, backwards, ground)} LIMIT ${limitSql(dialect, take)} OFFSET ${offset}
    ) AS page ORDER BY ${orderSql(keys, backwards, columnResolverOf(resource, 'page'))}`;
}

/** The total, and whether the list has any records at all, for a page without rows. */
export function emptyPageSql(resource: Resource, frame: PageTemplate, request: RequestedList): Prisma.Sql {
  const goesOn = asksEdge(frame, request) ? anySql(resource, request, [request.where]) : nothing;
  return Prisma.sql`${totalSql(resource, frame, request)}, ${goesOn}`;
}

/** Whether to ask for rows beyond the edge at which the page starts. */
const asksEdge = ({ needsNext, needsPrevious }: PageTemplate, { backwards, isOpen }: RequestedList): boolean =>
  isOpen && (backwards ? needsNext : needsPrevious);

/** 1 if a record fulfils the conditions. The order makes PostgreSQL use the index instead of scanning the table. */
function anySql(resource: Resource, { keys, backwards }: RequestedList, conditions: Where[]): Prisma.Sql {
  const ground = columnResolverOf(resource, 'other');
  return Prisma.sql`(SELECT 1 FROM ${table(resource)} AS other WHERE ${conditionSql({ AND: conditions }, ground)}
    ORDER BY ${orderSql(keys, !backwards, ground)} LIMIT 1)`;
}

function totalSql(resource: Resource, { needsTotal }: PageTemplate, { where }: RequestedList): Prisma.Sql {
  if (!needsTotal) return nothing;
  if (isWholeList(resource, where)) {
    return Prisma.sql`(SELECT sum("count") FROM "RecordCount" WHERE "model" = ${resource.model})`;
  }
  const condition = conditionSql(where, columnResolverOf(resource, 'counted'));
  return Prisma.sql`(SELECT count(*) FROM ${table(resource)} AS counted WHERE ${condition})`;
}

const nothing = Prisma.sql`NULL`;
const table = ({ model }: Resource): Prisma.Sql => Prisma.raw(`"${model}"`);
