/**
 * The SQL of a list that depends on the request. It finds the page by ids and sort values only, and then builds JSON
 * for its records alone.
 */
import { Prisma } from '../../generated/sqlite/client.js';
import type { Resource } from '../../model/resource.js';
import { columnResolverOf, conditionSql } from '../condition.js';
import type { Where } from '../delegate.js';
import { orderSql } from '../list-sql.js';
import type { Dialect } from '../sql/dialect.js';
import { limitSql } from '../sql/limit.js';
import { readableColumns, sortColumns } from '../sql/sorted.js';
import { isWholeList } from '../total.js';
import type { PageTemplate } from './page-template.js';
import { type RequestedList, skippedSql } from './requested-list.js';

/**
 * The columns after the objects of `page."id"` (total, whether the list continues, columns of the cursors if they are
 * needed), and the rest of the statement.
 */
export function pageSql(dialect: Dialect, resource: Resource, frame: PageTemplate, request: RequestedList): Prisma.Sql {
  const { where, bounds, behind, keys, backwards, size, offset } = request;
  // Skipped rows precede the page.
  const isSkipped = offset > 0 && Prisma.sql`1`;
  const goesOn = edgeSql(resource, frame, request, () => isSkipped || anySql(resource, request, [where, ...behind]));
  const ground = columnResolverOf(resource, 'found');
  const take = size + ((backwards ? frame.needsPrevious : frame.needsNext) ? 1 : 0);
  const rows = Prisma.sql`FROM ${table(resource)} AS found WHERE ${conditionSql({ AND: [where, ...bounds] }, ground)}
      ORDER BY ${orderSql(keys, backwards, ground)}`;
  return Prisma.sql`${totalSql(resource, frame, request)}, ${goesOn},
      ${readableColumns(dialect, frame.needsCursors ? keys : [], 'page')}
    FROM (
      SELECT ${sortColumns(keys, ground)} ${rows} LIMIT ${limitSql(dialect, take)} OFFSET ${skippedSql(request, rows)}
    ) AS page ORDER BY ${orderSql(keys, backwards, columnResolverOf(resource, 'page'))}`;
}

/** The total, and whether the list has any records at all, for a page without rows. */
export function emptyPageSql(resource: Resource, frame: PageTemplate, request: RequestedList): Prisma.Sql {
  const goesOn = edgeSql(resource, frame, request, () => anySql(resource, request, [request.where]));
  return Prisma.sql`${totalSql(resource, frame, request)}, ${goesOn}`;
}

/** Whether rows exist beyond the edge from which the page is read, if that is asked; `any` looks beyond it. */
function edgeSql(
  resource: Resource,
  { needsNext, needsPrevious }: PageTemplate,
  request: RequestedList,
  any: () => Prisma.Sql,
): Prisma.Sql {
  const { where, bounds, backwards, isOpen, head, size } = request;
  if (!(backwards ? needsNext : needsPrevious)) return nothing;
  if (isOpen) return any();
  return head === undefined ? nothing : anySql(resource, request, [where, ...bounds], size);
}

/** 1 if more records than `skip` fulfil the conditions. The order makes PostgreSQL use the index instead of scanning the table. */
function anySql(resource: Resource, { keys, backwards }: RequestedList, conditions: Where[], skip = 0): Prisma.Sql {
  const ground = columnResolverOf(resource, 'other');
  return Prisma.sql`(SELECT 1 FROM ${table(resource)} AS other WHERE ${conditionSql({ AND: conditions }, ground)}
    ORDER BY ${orderSql(keys, !backwards, ground)} LIMIT 1${skip > 0 ? Prisma.sql` OFFSET ${skip}` : Prisma.empty})`;
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
