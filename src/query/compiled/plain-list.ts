/**
 * All records, newest first, or all lines of one parent. One statement returns a row for each record with its JSON text
 * and, in the same snapshot, the total. `page-template.ts` adds the connection around the records.
 */

import type { MaybePromise } from '../../common/maybe-promise.js';
import { whenResolved } from '../../common/maybe-promise.js';
import { mostSkipped } from '../../database/sqlite/readers/sqlite-bounded-reads.js';
import type { Resource } from '../../model/resource.js';
import { cursorOf } from '../cursor.js';
import { byPosition, newestFirst } from '../keyset.js';
import type { RunQuery } from '../sql/statement.js';
import {
  type CompileContext,
  type CompiledRootField,
  type ReadBoundOf,
  type Rows,
  type StatementTemplate,
  statement,
} from '../sql/statement.js';
import type { Described } from './described-fields.js';
import type { PageTemplate, ResultRow } from './page-template.js';
import { plainListArguments } from './plain-list-arguments.js';
import { rowsSql, takesOneMore, totalSql } from './plain-sql.js';

export function plainList(
  compiling: CompileContext,
  resource: Resource,
  frame: PageTemplate,
  field: Described,
): CompiledRootField {
  const given = plainListArguments(resource, field);
  const total = statement(
    compiling,
    (writing) => `SELECT ${totalSql(writing, resource, given)}`,
    () => 'bounded',
  );
  // Lines are found by position and records by blocks; only after a cursor have rows to be skipped.
  const reachOf: ReadBoundOf = (variables) =>
    given.after(variables) === '' || Number(given.offset(variables)) <= mostSkipped ? 'bounded' : 'unbounded';
  const variants = new Map<boolean, Map<boolean, StatementTemplate>>();
  for (const isAfter of [false, true]) {
    const write = (isOffset: boolean) =>
      statement(compiling, (writing) => rowsSql(writing, resource, frame, given, { isAfter, isOffset }), reachOf);
    variants.set(isAfter, new Map([false, true].map((isOffset) => [isOffset, write(isOffset)])));
  }

  return (variables) => {
    const [size, offset, after] = [given.size(variables), given.offset(variables), given.after(variables)];
    // Checked even if no statement binds them, because invalid values must be refused.
    if (typeof size !== 'number' || typeof offset !== 'number' || after === undefined) return undefined;
    const asked: Asked = { size, offset, isAfter: after !== '' };
    // A page without rows carries no total, so it is read separately; it also shows whether records precede the page.
    const count = total(variables);
    const withoutRows = (read: RunQuery): MaybePromise<string> =>
      count && (frame.needsTotal || (frame.needsPrevious && offset > 0))
        ? whenResolved(count(read), (counted) => pageText(resource, frame, asked, [], counted[0]?.[0]))
        : pageText(resource, frame, asked, [], undefined);
    if (!count) return undefined;
    if (!frame.needsRows) return withoutRows;
    const page = variants.get(asked.isAfter)?.get(offset > 0)?.(variables);
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
  // Records before a page with `after` are handled by `filtered-list.ts`.
  const hasPrevious = offset > 0 && (rows.length > 0 || Number(counted) > 0);
  return frame.text({ rows: rows.slice(0, size), cursorOf: cursor, hasNext, hasPrevious, total });
}
