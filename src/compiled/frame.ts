/** What stands around the records of a page: `nodes`, `edges`, `pageInfo` and `totalCount`, written as JSON. */
import type { FieldNode } from 'graphql';
import { bytesIn } from '../bytes.js';
import type { Resource } from '../model/resource.js';
import { NotCompilable, objectType, type Selected, selectedFields } from './selection.js';
import type { Compiling, Rows } from './statement.js';

/** A page whose rows are there, each beginning with a JSON text for each selection of the records. */
export interface Page {
  rows: Rows;
  cursorOf(row: Row): string;
  hasNext: boolean;
  hasPrevious: boolean;
  total: number | undefined;
}

export type Row = Rows[number];

export interface Frame {
  /** The selections of the records, wherever the page asks for them. */
  nodes: (readonly FieldNode[])[];
  needsRows: boolean;
  needsNext: boolean;
  needsPrevious: boolean;
  needsTotal: boolean;
  /** The JSON of the page. What the frame does not need may be anything. */
  text(page: Page): string;
}

type Part = (page: Page) => string;

export function frameOf(compiling: Compiling, resource: Resource, field: Selected): Frame {
  const frame: Frame = {
    nodes: [],
    needsRows: false,
    needsNext: false,
    needsPrevious: false,
    needsTotal: false,
    text: () => '',
  };

  /** The column in which the text of these selections will stand. */
  const column = (nodes: readonly FieldNode[]) => {
    frame.needsRows = true;
    return frame.nodes.push(nodes) - 1;
  };

  const parts = (typeName: string, selected: Selected, part: (field: Selected) => Part): Part => {
    const sets = selected.nodes.map(({ selectionSet }) => selectionSet);
    const fields = selectedFields(objectType(compiling.schema, typeName), sets, compiling);
    const written = fields.map((inner): [string, Part] => [
      JSON.stringify(inner.key),
      inner.name === '__typename' ? () => `"${typeName}"` : part(inner),
    ]);
    return (page) => {
      let text = '';
      for (const [key, write] of written) text += `${text ? ',' : ''}${key}:${write(page)}`;
      return `{${text}}`;
    };
  };

  const edges = (selected: Selected): Part => {
    frame.needsRows = true;
    const fields = selectedFields(
      objectType(compiling.schema, `${resource.model}Edge`),
      selected.nodes.map(({ selectionSet }) => selectionSet),
      compiling,
    );
    const written = fields.map(({ key, name, nodes }): [string, (row: Row, page: Page) => string] => {
      if (name === 'cursor') return [JSON.stringify(key), cursor];
      if (name === '__typename') return [JSON.stringify(key), () => `"${resource.model}Edge"`];
      const place = column(nodes);
      return [JSON.stringify(key), (row) => bytesIn(row[place])];
    });
    return (page) =>
      `[${page.rows.map((row) => `{${written.map(([key, write]) => `${key}:${write(row, page)}`).join()}}`).join()}]`;
  };

  const pageInfo = ({ name }: Selected): Part => {
    frame.needsRows = true;
    if (name === 'hasNextPage') frame.needsNext = true;
    if (name === 'hasPreviousPage') frame.needsPrevious = true;
    const cursorAt = (index: number) => (page: Page) => {
      const row = page.rows.at(index);
      return row ? cursor(row, page) : 'null';
    };
    const known: Record<string, Part> = {
      hasNextPage: ({ hasNext }) => String(hasNext),
      hasPreviousPage: ({ hasPrevious }) => String(hasPrevious),
      startCursor: cursorAt(0),
      endCursor: cursorAt(-1),
    };
    return known[name] ?? refuse();
  };

  frame.text = parts(`${resource.model}Connection`, field, (selected) => {
    switch (selected.name) {
      case 'nodes': {
        const place = column(selected.nodes);
        return ({ rows }) => `[${rows.map((row) => bytesIn(row[place])).join()}]`;
      }
      case 'edges':
        return edges(selected);
      case 'pageInfo':
        return parts('PageInfo', selected, pageInfo);
      case 'totalCount':
        frame.needsTotal = true;
        return ({ total }) => String(total);
      default:
        return refuse();
    }
  });
  return frame;
}

const cursor = (row: Row, page: Page): string => JSON.stringify(page.cursorOf(row));

function refuse(): never {
  throw new NotCompilable();
}
