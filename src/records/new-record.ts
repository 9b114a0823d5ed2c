import type { Lines, Resource } from '../model/resource.js';
import type { Values } from './delegate.js';
import { newLines, parentTypeOf } from './lines.js';
import { birthValues, completeValuesOf } from './values.js';

/** A new record and its lines as rows to insert. Rows of one kind have the same columns. */
export interface NewRecord {
  resource: Resource;
  own: Values & { id: string };
  /** The lists that have lines, without the columns that refer to the record by its id alone. */
  lists: readonly { lines: Lines; values: readonly Values[] }[];
}

/** What creating a record with this input stores, whoever stores it. */
export function newRecord(resource: Resource, input: Values): NewRecord {
  const own = { ...completeValuesOf(resource, input), ...birthValues(resource) };
  const lists = resource.lines.map((lines) => {
    const tie = parentTypeOf(resource, lines.resource, own.id);
    return { lines, values: newLines(lines.resource, input[lines.field]).map((line) => ({ ...line, ...tie })) };
  });
  return { resource, own, lists: lists.filter(({ values }) => values.length > 0) };
}
