/**
 * A list with a filter, with its own order, or read from its end. The part of the statement that depends on the request
 * is written for each. Lines and parents in filters belong to the same area, so a key that may read the list may filter by
 * them. Links may lead to other areas, so their types are passed to `mayAsk`.
 */
import { whenResolved } from '../../common/maybe-promise.js';
import { mostSkipped } from '../../database/sqlite/reads.js';
import { Prisma } from '../../generated/sqlite/client.js';
import type { Resource } from '../../model/resource.js';
import { readArguments, type Selection } from '../../model/selection.js';
import { allOf, type Condition, conditionSql, groundOf } from '../condition.js';
import { cursorOf, readShortened } from '../cursor.js';
import type { SelectedRecord } from '../delegate.js';
import { byPosition, newestFirst, orderSql, type SortKey, type SortKeys } from '../list.js';
import { isOfParent, isWholeList, type RequestedList, requestedList, skippedSql, wholeCountSql } from '../page.js';
import { type Dialect, limitSql } from '../sql/dialect.js';
import { frameBytes, recordObject } from '../sql/record-object.js';
import { rowCounted } from '../sql/sizes.js';
import {
  type CompileContext,
  type CompiledRootField,
  type ReadBoundOf,
  type Rows,
  type RunQuery,
  statement,
} from '../sql/statement.js';
import type { PageTemplate, ResultRow } from './page-template.js';

export function chosenList(
  compiling: CompileContext,
  resource: Resource,
  frame: PageTemplate,
  field: Selection,
): CompiledRootField {
  const asked = readArguments(field, (given) => requestedList(resource, given));

  compiling.filtered.push({ resource, list: asked });
  const reachOf: ReadBoundOf = (variables) => {
    const request = asked(variables);
    return request && isBounded(resource, request) ? 'bounded' : 'unbounded';
  };
  const page = statement(
    compiling,
    (writing) => {
      const row = writing.table();
      const objects = frame.nodes.map((records) => {
        const { text, madeOnce } = writing.dialect;
        const object = recordObject(writing, records, row, 'many');
        const made = madeOnce(
          `SELECT ${object} AS item FROM "${resource.model}" AS ${row} WHERE ${row}."id" = page."id"`,
        );
        return `(SELECT ${text('item')} FROM ${made} AS made WHERE ${rowCounted(writing, ['item'], frameBytes(writing, records, 'many'))})`;
      });
      const rest = writing.dynamic(asked, (request) => pageSql(compiling.dialect, resource, frame, request));
      return `SELECT ${[...objects, rest].join(', ')}`;
    },
    reachOf,
  );
  /** The statement for an empty page, which has no row to carry the total and the flags. */
  const around = statement(
    compiling,
    (writing) => `SELECT ${writing.dynamic(asked, (request) => emptyPageSql(resource, frame, request))}`,
    reachOf,
  );

  return (variables) => {
    const request = asked(variables);
    if (!request) return undefined;
    const withoutRows = (read: RunQuery) => {
      const ask = around(variables);
      if (!ask) throw new Error('The statement around a page takes the same arguments as the page');
      return whenResolved(ask(read), ([told = []]) => pageText(frame, request, [], told));
    };
    if (!frame.needsRows) return withoutRows;
    const ask = page(variables);
    if (!ask) return undefined;
    return (read) =>
      whenResolved(ask(read), (rows) =>
        rows[0] ? pageText(frame, request, rows, rows[0].slice(frame.nodes.length)) : withoutRows(read),
      );
  };
}

/** Whether an index of the whole list finds the page. The count of lines is limited by their parent. */
function isBounded(resource: Resource, { where, keys, offset }: RequestedList): boolean {
  const isWhole = isWholeList(resource, where) || isOfParent(resource, where);
  return isWhole && (keys === newestFirst || keys === byPosition) && offset <= mostSkipped;
}

function pageText(frame: PageTemplate, request: RequestedList, rows: Rows, [counted, goesOn]: ResultRow): string {
  const total = frame.needsTotal ? Number(counted) : undefined;
  if (total !== undefined && !Number.isInteger(total)) throw new Error('The count of a list is missing');
  const { size, backwards, keys } = request;
  const taken = rows.slice(0, size);
  const isMore = rows.length > size;
  return frame.text({
    rows: backwards ? taken.reverse() : taken,
    cursorOf: (row) => cursorOf(keys, sortedRow(keys, row.slice(frame.nodes.length + 2))),
    hasNext: backwards ? Boolean(goesOn) : isMore,
    hasPrevious: backwards ? isMore : Boolean(goesOn),
    total,
  });
}

// The SQL of a list that depends on the request. It finds the page by ids and sort values only, and then builds JSON
// for its records alone.

/**
 * The columns after the objects of `page."id"` (total, whether the list continues, columns of the cursors if they are
 * needed), and the rest of the statement.
 */
function pageSql(dialect: Dialect, resource: Resource, frame: PageTemplate, request: RequestedList): Prisma.Sql {
  const { where, bounds, behind, keys, backwards, size, offset } = request;
  // Skipped rows precede the page.
  const isSkipped = offset > 0 && Prisma.sql`1`;
  const goesOn = edgeSql(resource, frame, request, () => isSkipped || anySql(resource, request, [where, ...behind]));
  const ground = groundOf('found');
  const take = size + ((backwards ? frame.needsPrevious : frame.needsNext) ? 1 : 0);
  const rows = Prisma.sql`FROM ${table(resource)} AS found WHERE ${conditionSql(allOf(where, ...bounds), ground)}
      ORDER BY ${orderSql(keys, backwards, ground)}`;
  return Prisma.sql`${totalSql(resource, frame, request)}, ${goesOn},
      ${readableColumns(dialect, frame.needsCursors ? keys : [], 'page')}
    FROM (
      SELECT ${Prisma.join(namesOf(keys).map(ground.column))} ${rows} LIMIT ${limitSql(dialect, take)} OFFSET ${skippedSql(request, rows)}
    ) AS page ORDER BY ${orderSql(keys, backwards, groundOf('page'))}`;
}

/** The total, and whether the list has any records at all, for a page without rows. */
function emptyPageSql(resource: Resource, frame: PageTemplate, request: RequestedList): Prisma.Sql {
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
function anySql(resource: Resource, { keys, backwards }: RequestedList, conditions: Condition[], skip = 0): Prisma.Sql {
  const ground = groundOf('other');
  return Prisma.sql`(SELECT 1 FROM ${table(resource)} AS other WHERE ${conditionSql(allOf(...conditions), ground)}
    ORDER BY ${orderSql(keys, !backwards, ground)} LIMIT 1${skip > 0 ? Prisma.sql` OFFSET ${skip}` : Prisma.empty})`;
}

function totalSql(resource: Resource, { needsTotal }: PageTemplate, { where }: RequestedList): Prisma.Sql {
  if (!needsTotal) return nothing;
  if (isWholeList(resource, where)) {
    return Prisma.raw(`(${wholeCountSql(resource)})`);
  }
  const condition = conditionSql(where, groundOf('counted'));
  return Prisma.sql`(SELECT count(*) FROM ${table(resource)} AS counted WHERE ${condition})`;
}

const nothing = Prisma.sql`NULL`;
const table = ({ model }: Resource): Prisma.Sql => Prisma.raw(`"${model}"`);

/** The columns of a cursor in the form that `sortedRow` expects: texts as cursors hold them. */
function readableColumns(dialect: Dialect, keys: SortKeys, alias: string): Prisma.Sql {
  const columns = namesOf(keys).map((name) => {
    const column = `${alias}."${name}"`;
    if (typeOf(keys, name) === 'instant') return dialect.complete.value(column, 'DateTime');
    return isText(keys, name) ? dialect.shortened(column) : column;
  });
  return Prisma.raw(columns.join(', '));
}

/** Long texts are `LongValue`s. */
function sortedRow(keys: SortKeys, values: readonly unknown[]): SelectedRecord {
  const [id, ...others] = namesOf(keys).map((name, index): [string, unknown] => {
    const value = values[index];
    if (value === null) return [name, null];
    return [name, isText(keys, name) ? readShortened(String(value)) : read[typeOf(keys, name)](value)];
  });
  return { ...Object.fromEntries(others), id: String(id?.[1]) };
}

/** The sort columns and the id, which make up a cursor. */
const namesOf = (keys: SortKeys): string[] => [...new Set(['id', ...keys.map(({ field }) => field)])];

const typeOf = (keys: SortKeys, name: string): SortKey['type'] =>
  keys.find(({ field }) => field === name)?.type ?? 'string';

/** Whether values of the column may be of any length. */
const isText = (keys: SortKeys, name: string): boolean => typeOf(keys, name) === 'string' && name !== 'id';

const read: Record<SortKey['type'], (value: unknown) => unknown> = {
  string: String,
  instant: String,
  integer: Number,
  number: Number,
  boolean: (value) => Boolean(Number(value)),
};
