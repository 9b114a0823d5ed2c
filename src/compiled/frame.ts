/** What stands around the records of a page: `nodes`, `edges`, `pageInfo` and `totalCount`, written as JSON. */
import type { FieldNode } from 'graphql';
import type { Resource } from '../model/resource.js';
import { cursorOf } from '../records/cursor.js';
import { byPosition, newestFirst } from '../records/keyset.js';
import { objectType } from './record.js';
import { NotCompilable, type Selected, selectedFields } from './selection.js';
import type { Compiling, Rows } from './statement.js';

/** A page whose rows are there: total, id, place, and a JSON text for each selection of the records. */
export interface Page {
  rows: Rows;
  hasMore: boolean;
  total: number | undefined;
  /** Nothing was skipped. */
  isFirst: boolean;
}

export interface Frame {
  /** The selections of the records, wherever the page asks for them. */
  nodes: (readonly FieldNode[])[];
  needsRows: boolean;
  needsMore: boolean;
  needsTotal: boolean;
  /** The JSON of the page; undefined where only the resolvers know it. */
  text(page: Page): string | undefined;
}

/** Columns in front of the texts. */
const leading = 3;

type Part = (page: Page) => string | undefined;

export function frameOf(compiling: Compiling, resource: Resource, field: Selected): Frame {
  const frame: Frame = { nodes: [], needsRows: false, needsMore: false, needsTotal: false, text: () => undefined };
  const cursor = (row: Rows[number]) => JSON.stringify(cursorOfRow(resource, row));

  /** The column in which the text of these selections will stand. */
  const column = (nodes: readonly FieldNode[]) => {
    frame.needsRows = true;
    return leading + frame.nodes.push(nodes) - 1;
  };

  const parts = (typeName: string, selected: Selected, part: (field: Selected) => Part): Part => {
    const sets = selected.nodes.map(({ selectionSet }) => selectionSet);
    const fields = selectedFields(objectType(compiling.schema, typeName), sets, compiling.fragments);
    const written = fields.map((inner): [string, Part] => [
      JSON.stringify(inner.key),
      inner.name === '__typename' ? () => `"${typeName}"` : part(inner),
    ]);
    return (page) => {
      let text = '';
      for (const [key, write] of written) {
        const value = write(page);
        if (value === undefined) return undefined;
        text += `${text ? ',' : ''}${key}:${value}`;
      }
      return `{${text}}`;
    };
  };

  const edges = (selected: Selected): Part => {
    frame.needsRows = true;
    const fields = selectedFields(
      objectType(compiling.schema, `${resource.model}Edge`),
      selected.nodes.map(({ selectionSet }) => selectionSet),
      compiling.fragments,
    );
    const written = fields.map(({ key, name, nodes }): [string, (row: Rows[number]) => string] => {
      if (name === 'cursor') return [JSON.stringify(key), cursor];
      if (name === '__typename') return [JSON.stringify(key), () => `"${resource.model}Edge"`];
      const place = column(nodes);
      return [JSON.stringify(key), (row) => String(row[place])];
    });
    return ({ rows }) =>
      `[${rows.map((row) => `{${written.map(([key, write]) => `${key}:${write(row)}`).join()}}`).join()}]`;
  };

  const pageInfo = ({ name }: Selected): Part => {
    frame.needsRows = true;
    if (name === 'hasNextPage') frame.needsMore = true;
    const first = ({ rows: [row] }: Page) => (row ? cursor(row) : 'null');
    const last = ({ rows }: Page) => (rows.length > 0 ? cursor(rows.at(-1) ?? []) : 'null');
    const known: Record<string, Part> = {
      hasNextPage: ({ hasMore }) => String(hasMore),
      hasPreviousPage: ({ isFirst }) => (isFirst ? 'false' : undefined),
      startCursor: first,
      endCursor: last,
    };
    return known[name] ?? refuse();
  };

  frame.text = parts(`${resource.model}Connection`, field, (selected) => {
    switch (selected.name) {
      case 'nodes': {
        const place = column(selected.nodes);
        return ({ rows }) => `[${rows.map((row) => String(row[place])).join()}]`;
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

function cursorOfRow({ scope }: Resource, [, id, place]: Rows[number]): string {
  return cursorOf(scope ? byPosition : newestFirst, { id: String(id), idx: Number(place) });
}

function refuse(): never {
  throw new NotCompilable();
}
