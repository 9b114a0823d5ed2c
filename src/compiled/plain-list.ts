/**
 * All records newest first, or all lines of one parent: one statement gives a row per record, with its JSON text and, in
 * the same snapshot, the total. The frame around the records (edges, page info) is put together by `frame.ts`.
 */
import type { Resource } from '../model/resource.js';
import { cursorOf } from '../records/cursor.js';
import { byPosition, newestFirst } from '../records/keyset.js';
import type { Frame, Row } from './frame.js';
import { type ListArguments, listArguments } from './list-arguments.js';
import { recordObject } from './record.js';
import type { Selected } from './selection.js';
import {
  type Bound,
  type Compiling,
  type RootField,
  type Rows,
  type Statement,
  statement,
  type Writing,
  whenThere,
} from './statement.js';

/** Which of the optional arguments a statement is written for. */
interface Variant {
  isAfter: boolean;
  isOffset: boolean;
}

export function plainList(compiling: Compiling, resource: Resource, frame: Frame, field: Selected): RootField {
  const given = listArguments(resource, field);
  const total = statement(compiling, (writing) => `SELECT ${totalOf(writing, resource, given)}`);
  const variants = new Map<boolean, Map<boolean, Statement>>();
  for (const isAfter of [false, true]) {
    const write = (isOffset: boolean) => rowsOf(compiling, resource, frame, given, { isAfter, isOffset });
    variants.set(isAfter, new Map([false, true].map((isOffset) => [isOffset, write(isOffset)])));
  }

  return (variables, read) => {
    const [size, offset, after] = [given.size(variables), given.offset(variables), given.after(variables)];
    // Also where no statement binds them: what is wrong is to be refused.
    if (typeof size !== 'number' || typeof offset !== 'number' || after === undefined) return undefined;
    const asked: Asked = { size, offset, isAfter: after !== '' };
    // Of a page without rows, which would hold it, the total is asked for by itself.
    const withoutRows = () =>
      frame.needsTotal
        ? whenThere(total(variables, read), (counted) => pageText(resource, frame, asked, [], counted?.[0]?.[0]))
        : pageText(resource, frame, asked, [], undefined);
    if (!frame.needsRows) return withoutRows();
    return whenThere(variants.get(asked.isAfter)?.get(offset > 0)?.(variables, read), (rows) =>
      rows?.length === 0
        ? withoutRows()
        : rows && pageText(resource, frame, asked, rows, rows[0]?.[frame.nodes.length]),
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
  frame: Frame,
  { size, offset, isAfter }: Asked,
  rows: Rows,
  counted: unknown,
): string | undefined {
  const cursor = (row: Row) => {
    const [id, idx] = row.slice(frame.nodes.length + 1);
    return cursorOf(resource.scope ? byPosition : newestFirst, { id: String(id), idx: Number(idx) });
  };
  const total = frame.needsTotal ? Number(counted) : undefined;
  if (total !== undefined && !Number.isInteger(total)) return undefined;
  const hasNext = takesOneMore(frame, isAfter) ? rows.length > size : offset + rows.length < (total ?? 0);
  // Who asks what goes before a page that does not begin the list is answered by `chosen-list.ts`.
  return frame.text({ rows: rows.slice(0, size), cursorOf: cursor, hasNext, hasPrevious: false, total });
}

/** Whether a row more than the page tells if records follow: not where the total tells it. */
const takesOneMore = ({ needsNext, needsTotal }: Frame, isAfter: boolean): boolean =>
  needsNext && (isAfter || !needsTotal);

function rowsOf(
  compiling: Compiling,
  resource: Resource,
  frame: Frame,
  { parentId, size, after, offset }: ListArguments,
  { isAfter, isOffset }: Variant,
): Statement {
  return statement(compiling, (writing) => {
    const { bind } = writing;
    const row = writing.table();
    const take: Bound = (variables) => {
      const taken = size(variables);
      return typeof taken === 'number' ? taken + (takesOneMore(frame, isAfter) ? 1 : 0) : undefined;
    };
    const total = frame.needsTotal ? totalOf(writing, resource, { parentId, size, after, offset }) : 'NULL';
    const objects = frame.nodes.map((nodes) => writing.dialect.text(recordObject(writing, resource, row, nodes)));
    const table = `"${resource.model}"`;
    if (resource.scope) {
      const select = [...objects, total, `${row}."id"`, `${row}."idx"`].join(', ');
      return `SELECT ${select} FROM ${table} AS ${row} WHERE ${row}."${resource.scope}" = ${bind(parentId)}
        AND ${row}."idx" > ${bind(offset)} ORDER BY ${row}."idx" LIMIT ${bind(take)}`;
    }
    const select = [...objects, total, `${row}."id"`].join(', ');
    const before = (name: string) => (isAfter ? `WHERE ${name}."id" < ${bind(after)}` : '');
    if (!isOffset) {
      return `SELECT ${select} FROM ${table} AS ${row} ${before(row)} ORDER BY ${row}."id" DESC LIMIT ${bind(take)}`;
    }
    // What is skipped is read from the index alone, and no JSON is made of it. The page itself is a range of the index
    // again, which a database cannot mistake for a join with the whole table.
    const first = writing.table();
    return `SELECT ${select} FROM ${table} AS ${row} WHERE ${row}."id" <= (
        SELECT ${first}."id" FROM ${table} AS ${first} ${before(first)} ORDER BY ${first}."id" DESC
        LIMIT 1 OFFSET ${bind(offset)}
      ) ORDER BY ${row}."id" DESC LIMIT ${bind(take)}`;
  });
}

function totalOf({ bind, table }: Writing, { model, scope }: Resource, { parentId }: ListArguments): string {
  if (!scope) return `(SELECT sum("count") FROM "RecordCount" WHERE "model" = '${model}')`;
  const line = table();
  return `(SELECT count(*) FROM "${model}" AS ${line} WHERE ${line}."${scope}" = ${bind(parentId)})`;
}
