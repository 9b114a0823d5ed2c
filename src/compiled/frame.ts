/** The JSON of a connection around its records: `nodes`, `edges`, `pageInfo` and `totalCount`. */
import { bytesIn } from '../bytes.js';
import type { Resource } from '../model/resource.js';
import { type Described, describedFields, objectIn, recordTypeIn } from './described.js';
import type { RecordSelection } from './record.js';
import { NotCompilable } from './selection.js';
import type { Compiling, Rows } from './statement.js';

/** The rows of a page; each begins with a JSON text for each selection of the records. */
export interface Page {
  rows: Rows;
  cursorOf(row: Row): string;
  hasNext: boolean;
  hasPrevious: boolean;
  total: number | undefined;
}

export type Row = Rows[number];

export interface Frame {
  /** The selections of records, wherever the connection contains them. */
  nodes: RecordSelection[];
  needsRows: boolean;
  needsNext: boolean;
  needsPrevious: boolean;
  needsTotal: boolean;
  /** The JSON of the page. Members that the template does not need may have any value. */
  text(page: Page): string;
}

type Part = (page: Page) => string;

export function frameOf(compiling: Compiling, resource: Resource, field: Described): Frame {
  const frame: Frame = {
    nodes: [],
    needsRows: false,
    needsNext: false,
    needsPrevious: false,
    needsTotal: false,
    text: () => '',
  };

  /** The column that will hold the text of these selections. */
  const column = ({ definition, nodes }: Described, form: 'one' | 'list') => {
    frame.needsRows = true;
    return frame.nodes.push({ type: recordTypeIn(definition.type, resource, form), nodes }) - 1;
  };

  const below = ({ definition, nodes }: Described, form: 'one' | 'list') => {
    const type = objectIn(definition.type, form);
    const sets = nodes.map(({ selectionSet }) => selectionSet);
    return { name: JSON.stringify(type.name), fields: describedFields(type, sets, compiling) };
  };

  const parts = (selected: Described, part: (field: Described) => Part): Part => {
    const { name, fields } = below(selected, 'one');
    const written = fields.map((inner): [string, Part] => [
      JSON.stringify(inner.key),
      inner.answer.kind === 'typename' ? () => name : part(inner),
    ]);
    return (page) => {
      let text = '';
      for (const [key, write] of written) text += `${text ? ',' : ''}${key}:${write(page)}`;
      return `{${text}}`;
    };
  };

  const edges = (selected: Described): Part => {
    frame.needsRows = true;
    const { name, fields } = below(selected, 'list');
    const written = fields.map((inner): [string, (row: Row, page: Page) => string] => {
      const { answer } = inner;
      const key = JSON.stringify(inner.key);
      if (answer.kind === 'typename') return [key, () => name];
      if (answer.kind !== 'edge') return refuse();
      if (answer.part === 'cursor') return [key, cursor];
      const place = column(inner, 'one');
      return [key, (row) => bytesIn(row[place])];
    });
    return (page) =>
      `[${page.rows.map((row) => `{${written.map(([key, write]) => `${key}:${write(row, page)}`).join()}}`).join()}]`;
  };

  const pageInfo = ({ answer }: Described): Part => {
    if (answer.kind !== 'pageInfo') return refuse();
    frame.needsRows = true;
    if (answer.part === 'hasNextPage') frame.needsNext = true;
    if (answer.part === 'hasPreviousPage') frame.needsPrevious = true;
    const cursorAt = (index: number) => (page: Page) => {
      const row = page.rows.at(index);
      return row ? cursor(row, page) : 'null';
    };
    const known: Record<typeof answer.part, Part> = {
      hasNextPage: ({ hasNext }) => String(hasNext),
      hasPreviousPage: ({ hasPrevious }) => String(hasPrevious),
      startCursor: cursorAt(0),
      endCursor: cursorAt(-1),
    };
    return known[answer.part];
  };

  frame.text = parts(field, (selected) => {
    const { answer } = selected;
    if (answer.kind !== 'page') return refuse();
    switch (answer.part) {
      case 'nodes': {
        const place = column(selected, 'list');
        return ({ rows }) => `[${rows.map((row) => bytesIn(row[place])).join()}]`;
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

const cursor = (row: Row, page: Page): string => JSON.stringify(page.cursorOf(row));

function refuse(): never {
  throw new NotCompilable();
}
