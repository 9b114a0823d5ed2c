/** A list without filter, order or `last`: its SQL is written once for each combination of optional arguments. */
import { type MaybePromise, whenResolved } from '../../common/maybe-promise.js';
import { isStorableText, largestInt32 } from '../../model/field.js';
import { defaultPageSize, largestPageSize } from '../../model/limits.js';
import type { Resource } from '../../model/resource.js';
import type { Selection } from '../../model/selection.js';
import { inRange } from '../arguments.js';
import { cursorOf, readCursor } from '../cursor.js';
import { byPosition, newestFirst } from '../list.js';
import { wholeCountSql } from '../page.js';
import { limitInText } from '../sql/dialect.js';
import { frameBytes, recordObject } from '../sql/record-object.js';
import { rowCounted } from '../sql/sizes.js';
import {
  type BoundValue,
  type CompileContext,
  type CompiledRootField,
  type Rows,
  type RunQuery,
  type SqlBuilder,
  statement,
} from '../sql/statement.js';
import type { PageTemplate, ResultRow } from './page-template.js';

/**
 * All records, newest first, or all lines of one parent. One statement returns a row for each record with its JSON text
 * and, in the same snapshot, the total. `page-template.ts` adds the connection around the records. A page both after a cursor and
 * behind an offset is answered by `chosen`: lines are found by position and records by blocks, so no rows are skipped here.
 */
export function plainList(
  compiling: CompileContext,
  resource: Resource,
  frame: PageTemplate,
  field: Selection,
  chosen: CompiledRootField,
): CompiledRootField {
  const given = plainListArguments(resource, field);
  const bounded = (write: (writing: SqlBuilder) => string) => statement(compiling, write, () => 'bounded');
  const total = bounded((writing) => `SELECT ${totalSql(writing, resource, given)}`);
  const pageFrom = (start: Start) => bounded((writing) => rowsSql(writing, resource, frame, given, start));
  const pages = { start: pageFrom('start'), cursor: pageFrom('cursor'), offset: pageFrom('offset') };

  return (variables) => {
    const [size, offset, after] = [given.size(variables), given.offset(variables), given.after(variables)];
    // Checked even if no statement binds them, because invalid values must be refused.
    if (typeof size !== 'number' || typeof offset !== 'number' || after === undefined) return undefined;
    const isAfter = after !== '';
    if (isAfter && offset > 0) return chosen(variables);
    const asked: Asked = { size, offset, isAfter };
    // A page without rows carries no total, so it is read separately; it also shows whether records precede the page.
    const count = total(variables);
    const withoutRows = (read: RunQuery): MaybePromise<string> =>
      count && (frame.needsTotal || (frame.needsPrevious && offset > 0))
        ? whenResolved(count(read), (counted) => pageText(resource, frame, asked, [], counted[0]?.[0]))
        : pageText(resource, frame, asked, [], undefined);
    if (!count) return undefined;
    if (!frame.needsRows) return withoutRows;
    const unlessAfter = offset > 0 ? pages.offset : pages.start;
    const page = (isAfter ? pages.cursor : unlessAfter)(variables);
    if (!page) return undefined;
    return (read) =>
      whenResolved(page(read), (rows) =>
        rows.length === 0 ? withoutRows(read) : pageText(resource, frame, asked, rows, rows[0]?.[frame.nodes.length]),
      );
  };
}

interface Asked {
  size: number;
  offset: number;
  isAfter: boolean;
}

function pageText(
  resource: Resource,
  frame: PageTemplate,
  { size, offset, isAfter }: Asked,
  rows: Rows,
  counted: unknown,
): string {
  const cursor = (row: ResultRow) => {
    const [id, idx] = row.slice(frame.nodes.length + 1);
    return cursorOf(resource.scope ? byPosition : newestFirst, { id: String(id), idx: Number(idx) });
  };
  const total = frame.needsTotal ? Number(counted) : undefined;
  if (total !== undefined && !Number.isInteger(total)) throw new Error(`${resource.model}: its count is missing`);
  const hasNext = takesOneMore(frame, isAfter) ? rows.length > size : offset + rows.length < (total ?? 0);
  // Records before a page with `after` are handled by `chosen-list.ts`.
  const hasPrevious = offset > 0 && (rows.length > 0 || Number(counted) > 0);
  return frame.text({ rows: rows.slice(0, size), cursorOf: cursor, hasNext, hasPrevious, total });
}

/** Where a page begins. */
type Start = 'start' | 'cursor' | 'offset';

/** Whether to read one row more than the page to know if records follow; not needed if the total shows it. */
const takesOneMore = ({ needsNext, needsTotal }: PageTemplate, isAfter: boolean): boolean =>
  needsNext && (isAfter || !needsTotal);

type ListArguments = ReturnType<typeof plainListArguments>;

/** A row for each record of the page: its objects, the total, and the values of its cursor. */
function rowsSql(
  writing: SqlBuilder,
  resource: Resource,
  frame: PageTemplate,
  given: ListArguments,
  start: Start,
): string {
  const { bind } = writing;
  const { model, scope } = resource;
  const row = writing.table();
  const isFromNearerEnd = start === 'offset' && !scope;
  const isAfter = start === 'cursor';
  const objects = frame.nodes.map((_, index) => `item${index}`);
  const total = () => (isFromNearerEnd ? '(SELECT total FROM counted)' : totalSql(writing, resource, given));
  const columns = [
    ...frame.nodes.map((records, index) => `${recordObject(writing, records, row, 'many')} AS ${objects[index]}`),
    `${frame.needsTotal ? total() : 'NULL'} AS counted`,
    `${row}."id"`,
    ...(scope ? [`${row}."idx"`] : []),
  ];
  const rows = `SELECT ${columns.join(', ')} FROM "${model}" AS ${row}`;
  const shown = [...objects.map(writing.dialect.text), 'counted', '"id"', ...(scope ? ['"idx"'] : [])];
  const counted = (page: string) =>
    `SELECT ${shown.join(', ')} FROM (${page}) AS page WHERE ${rowCounted(
      writing,
      objects,
      frame.nodes.reduce((bytes, records) => bytes + frameBytes(writing, records, 'many'), 0),
    )}`;
  const limit = `LIMIT ${limitOf(writing, (variables) => {
    const size = given.size(variables);
    return typeof size === 'number' ? size + (takesOneMore(frame, isAfter) ? 1 : 0) : undefined;
  })}`;
  if (scope) {
    return counted(`${rows} WHERE ${row}."${scope}" = ${bind(given.parentId)} AND ${row}."idx" > ${bind(given.offset)}
      ORDER BY ${row}."idx" ${limit}`);
  }
  const page = `ORDER BY ${row}."id" DESC ${limit}`;
  // Skipped rows are counted by blocks, without building JSON. The page itself is another range of the index, which a query
  // planner cannot turn into a join with the whole table.
  if (isFromNearerEnd) {
    return `WITH ${offsetBlockSql(writing, resource, given.offset, totalSql(writing, resource, given))}
      ${counted(`${rows} WHERE ${row}."id" <= ${idAtOffset(writing, resource, given.offset)} ${page}`)}`;
  }
  return counted(`${rows} ${isAfter ? `WHERE ${row}."id" < ${bind(given.after)}` : ''} ${page}`);
}

/** The number of rows of a page (`limitSql`), as part of a statement that is written once. */
const limitOf = (writing: SqlBuilder, count: BoundValue): string =>
  writing.dialect.limitsInText ? writing.dynamic(count, (rows) => limitInText(Number(rows))) : writing.bind(count);

function totalSql({ bind, table }: SqlBuilder, { model, scope }: Resource, { parentId }: ListArguments): string {
  if (!scope) return `(${wholeCountSql({ model })})`;
  const line = table();
  return `(SELECT count(*) FROM "${model}" AS ${line} WHERE ${line}."${scope}" = ${bind(parentId)})`;
}

// Finds the record at an offset of all records, by the counts that the database maintains for blocks of ids.

/** Up to this offset, skipping rows is faster than reading the blocks. */
const fewSkipped = 1000;

/**
 * Two common table expressions: `counted(total)` and `place(first, skipped)`. `place` is the block that contains the
 * record at this offset, and the number of its records with lower ids; it is empty if the list ends before the offset.
 * Reads one row for each block. Nothing is added to the offset, because it may be the largest integer.
 */
function offsetBlockSql({ bind }: SqlBuilder, { model }: Resource, offset: BoundValue, total: string): string {
  const skipped = bind(offset);
  // Announced blocks are not used yet. A pending change of a block sorts after the block's own row.
  return `counted(total) AS ${total}, place(first, skipped) AS (
      SELECT first, total - ${skipped} - 1 - below FROM counted, (
        SELECT "first", "isBlock", coalesce(sum("count") OVER (
          ORDER BY "first", "isBlock" DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), 0) AS below
        FROM (
          SELECT "first", 1 AS "isBlock", "count" FROM "RecordBlock" WHERE "model" = '${model}' AND "announcedBy" IS NULL
          UNION ALL SELECT "id", 0, "change" FROM "RecordBlockChange" WHERE "model" = '${model}'
        ) AS counts
      ) AS blocks
      WHERE "isBlock" = 1 AND below < total - ${skipped} ORDER BY first DESC LIMIT 1
    )`;
}

/**
 * The id of the record at the offset, or NULL. The newest block is searched from its nearer end, any other from its
 * start. The CASE keeps the unused branch from being evaluated, because its offset could be negative.
 */
function idAtOffset({ bind, table }: SqlBuilder, { model }: Resource, offset: BoundValue): string {
  const [newest, oldest] = [table(), table()];
  const skipped = bind(offset);
  return `(CASE
      WHEN ${skipped} <= ${fewSkipped} OR ${skipped} < (SELECT skipped FROM place) THEN (
        SELECT ${newest}."id" FROM "${model}" AS ${newest} ORDER BY ${newest}."id" DESC LIMIT 1 OFFSET ${skipped}
      )
      WHEN EXISTS (SELECT 1 FROM place) THEN (
        SELECT ${oldest}."id" FROM "${model}" AS ${oldest} WHERE ${oldest}."id" >= (SELECT first FROM place)
        ORDER BY ${oldest}."id" LIMIT 1 OFFSET (SELECT skipped FROM place)
      )
    END)`;
}

/** The arguments of a plain list, as values of a request; undefined for a value that the resolvers refuse. */
function plainListArguments(
  resource: Resource,
  field: Selection,
): Record<'parentId' | 'size' | 'after' | 'offset', BoundValue> {
  const isChild = resource.scope !== undefined;
  const parentId = isChild ? field.argument('parentId') : none;
  const [first, offset] = [field.argument('first'), field.argument('offset')];
  // Lines after a cursor are answered by `chosen-list.ts`.
  const after = isChild ? none : field.argument('after');
  return {
    parentId: (variables) => {
      const value = parentId(variables);
      return typeof value === 'string' && isStorableText(value) ? value : undefined;
    },
    size: (variables) => inRange(first(variables) ?? defaultPageSize, 0, largestPageSize),
    offset: (variables) => inRange(offset(variables) ?? 0, 0, largestInt32),
    after: (variables) => {
      const cursor = after(variables);
      if (cursor == null) return '';
      return typeof cursor === 'string' ? idIn(resource, cursor) : undefined;
    },
  };
}

const none = () => undefined;

/** The id in a cursor of the whole list; undefined for any other cursor, which the resolvers refuse. */
function idIn(resource: Resource, cursor: string): string | undefined {
  try {
    return readCursor(resource, newestFirst, cursor, 'after').id;
  } catch {
    return undefined;
  }
}
