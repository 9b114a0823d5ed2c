/**
 * A list with a filter, with its own order, or read from its end. The part of the statement that depends on the request
 * comes from `filtered-list-sql.ts`. Lines and parents in filters belong to the same area, so a key that may read the
 * list may filter by them. Links may lead to other areas, so their types are passed to `mayAsk`.
 */

import { whenResolved } from '../../common/maybe-promise.js';
import { mostSkipped } from '../../database/sqlite/readers/sqlite-bounded-reads.js';
import type { Resource } from '../../model/resource.js';
import { cursorOf } from '../cursor.js';
import { byPosition, newestFirst } from '../keyset.js';
import { linkedIn } from '../linked.js';
import { frameBytes, recordObject } from '../sql/record-object.js';
import { rowCounted } from '../sql/size-conditions.js';
import { sortedRow } from '../sql/sorted.js';
import type { RunQuery } from '../sql/statement.js';
import {
  type CompileContext,
  type CompiledRootField,
  type ReadBoundOf,
  type Rows,
  statement,
} from '../sql/statement.js';
import { isWholeList } from '../total.js';
import { argumentValuesOf } from './argument-values.js';
import type { Described } from './described-fields.js';
import { emptyPageSql, pageSql } from './filtered-list-sql.js';
import type { PageTemplate, ResultRow } from './page-template.js';
import { type RequestedList, requestedList } from './requested-list.js';
import { NotCompilable } from './selection.js';

export function filteredList(
  compiling: CompileContext,
  resource: Resource,
  frame: PageTemplate,
  field: Described,
): CompiledRootField {
  const [node] = field.nodes;
  if (!node) throw new NotCompilable();
  const asked = argumentValuesOf(compiling, field.definition, node, (given) => requestedList(resource, given));

  compiling.filtered.push((variables) => linkedIn(resource, asked(variables)?.where ?? {}));
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
      const rest = writing.dynamic((variables) => {
        const request = asked(variables);
        return request && pageSql(compiling.dialect, resource, frame, request);
      });
      return `SELECT ${[...objects, rest].join(', ')}`;
    },
    reachOf,
  );
  /** The statement for an empty page, which has no row to carry the total and the flags. */
  const around = statement(
    compiling,
    (writing) => {
      const told = writing.dynamic((variables) => {
        const request = asked(variables);
        return request && emptyPageSql(resource, frame, request);
      });
      return `SELECT ${told}`;
    },
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
  const isWhole = isWholeList(resource, where) || Object.keys(where).join() === resource.scope;
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
