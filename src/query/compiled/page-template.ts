/** The JSON of a connection around its records: `nodes`, `edges`, `pageInfo` and `totalCount`. */
import type { Resource } from '../../model/resource.js';
import { NotCompilable, required, type Selection } from '../../model/selection.js';
import { jsonObject, recordReader } from '../sql/record-reader.js';
import type { CompileContext, Rows } from '../sql/statement.js';

/** The rows of a page; each begins with a JSON text for each selection of the records. */
export interface PageRows {
  rows: Rows;
  cursorOf(row: ResultRow): string;
  hasNext: boolean;
  hasPrevious: boolean;
  total: number | undefined;
}

export type ResultRow = Rows[number];

export interface PageTemplate {
  /** The selections of records, wherever the connection contains them. */
  nodes: Selection[];
  needsRows: boolean;
  needsCursors: boolean;
  needsNext: boolean;
  needsPrevious: boolean;
  needsTotal: boolean;
  /** The JSON of the page. Members that the template does not need may have any value. */
  text(page: PageRows): string;
}

type PagePart = (page: PageRows) => string;

export function pageTemplateOf(compiling: CompileContext, resource: Resource, field: Selection): PageTemplate {
  const frame: PageTemplate = {
    nodes: [],
    needsRows: false,
    needsCursors: false,
    needsNext: false,
    needsPrevious: false,
    needsTotal: false,
    text: () => '',
  };

  /** Returns the JSON of these records for a row, from a column of its own. */
  const column = (records: Selection, form: 'one' | 'list') => {
    frame.needsRows = true;
    const place = frame.nodes.push(required(records, form, resource)) - 1;
    const read = recordReader(compiling, records);
    return (row: ResultRow) => read(row[place]);
  };

  const edges = (selected: Selection): PagePart => {
    frame.needsRows = true;
    const edge = jsonObject<ResultRow, PageRows>(required(selected, 'list'), (inner) => {
      const { answer } = inner;
      if (answer.kind !== 'edge') return notCompilable();
      if (answer.part === 'node') return column(inner, 'one');
      frame.needsCursors = true;
      return cursor;
    });
    return (page) => `[${page.rows.map((row) => edge(row, page)).join()}]`;
  };

  const pageInfo = ({ answer }: Selection): PagePart => {
    if (answer.kind !== 'pageInfo') return notCompilable();
    frame.needsRows = true;
    if (answer.part === 'hasNextPage') frame.needsNext = true;
    if (answer.part === 'hasPreviousPage') frame.needsPrevious = true;
    if (answer.part === 'startCursor' || answer.part === 'endCursor') frame.needsCursors = true;
    const cursorAt = (index: number) => (page: PageRows) => {
      const row = page.rows.at(index);
      return row ? cursor(row, page) : 'null';
    };
    const known: Record<typeof answer.part, PagePart> = {
      hasNextPage: ({ hasNext }) => String(hasNext),
      hasPreviousPage: ({ hasPrevious }) => String(hasPrevious),
      startCursor: cursorAt(0),
      endCursor: cursorAt(-1),
    };
    return known[answer.part];
  };

  frame.text = jsonObject<PageRows>(required(field, 'one'), (selected) => {
    const { answer } = selected;
    if (answer.kind !== 'page') return notCompilable();
    switch (answer.part) {
      case 'nodes': {
        const text = column(selected, 'list');
        return ({ rows }) => `[${rows.map((row) => text(row)).join()}]`;
      }
      case 'edges':
        return edges(selected);
      case 'pageInfo':
        return jsonObject(required(selected, 'one'), pageInfo);
      case 'totalCount':
        frame.needsTotal = true;
        return ({ total }) => String(total);
    }
  });
  return frame;
}

const cursor = (row: ResultRow, page: PageRows): string => JSON.stringify(page.cursorOf(row));

function notCompilable(): never {
  throw new NotCompilable();
}
