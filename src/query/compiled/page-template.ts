/** The JSON of a connection around its records: `nodes`, `edges`, `pageInfo` and `totalCount`. */
import type { Resource } from '../../model/resource.js';
import { recordReader } from '../sql/record-reader.js';
import type { RecordSelection } from '../sql/records-below.js';
import type { CompileContext, Rows } from '../sql/statement.js';
import { type Described, describedFields, objectIn, recordTypeIn } from './described-fields.js';
import { NotCompilable } from './selection.js';

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
  nodes: RecordSelection[];
  needsRows: boolean;
  needsCursors: boolean;
  needsNext: boolean;
  needsPrevious: boolean;
  needsTotal: boolean;
  /** The JSON of the page. Members that the template does not need may have any value. */
  text(page: PageRows): string;
}

type PagePart = (page: PageRows) => string;

export function pageTemplateOf(compiling: CompileContext, resource: Resource, field: Described): PageTemplate {
  const frame: PageTemplate = {
    nodes: [],
    needsRows: false,
    needsCursors: false,
    needsNext: false,
    needsPrevious: false,
    needsTotal: false,
    text: () => '',
  };

  /** Returns the JSON of these selections for a row, from a column of its own. */
  const column = ({ definition, nodes }: Described, form: 'one' | 'list') => {
    frame.needsRows = true;
    const selection = { type: recordTypeIn(definition.type, resource, form), nodes };
    const place = frame.nodes.push(selection) - 1;
    const read = recordReader(compiling, selection);
    return (row: ResultRow) => read(row[place]);
  };

  const below = ({ definition, nodes }: Described, form: 'one' | 'list') => {
    const type = objectIn(definition.type, form);
    const sets = nodes.map(({ selectionSet }) => selectionSet);
    return { name: JSON.stringify(type.name), fields: describedFields(type, sets, compiling) };
  };

  const parts = (selected: Described, part: (field: Described) => PagePart): PagePart => {
    const { name, fields } = below(selected, 'one');
    const written = fields.map((inner): [string, PagePart] => [
      JSON.stringify(inner.key),
      inner.answer.kind === 'typename' ? () => name : part(inner),
    ]);
    return (page) => {
      let text = '';
      for (const [key, write] of written) text += `${text ? ',' : ''}${key}:${write(page)}`;
      return `{${text}}`;
    };
  };

  const edges = (selected: Described): PagePart => {
    frame.needsRows = true;
    const { name, fields } = below(selected, 'list');
    const written = fields.map((inner): [string, (row: ResultRow, page: PageRows) => string] => {
      const { answer } = inner;
      const key = JSON.stringify(inner.key);
      if (answer.kind === 'typename') return [key, () => name];
      if (answer.kind !== 'edge') return notCompilable();
      if (answer.part === 'cursor') {
        frame.needsCursors = true;
        return [key, cursor];
      }
      return [key, column(inner, 'one')];
    });
    return (page) =>
      `[${page.rows.map((row) => `{${written.map(([key, write]) => `${key}:${write(row, page)}`).join()}}`).join()}]`;
  };

  const pageInfo = ({ answer }: Described): PagePart => {
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

  frame.text = parts(field, (selected) => {
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
        return parts(selected, pageInfo);
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
