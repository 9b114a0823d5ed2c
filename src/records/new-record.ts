import type { Resource } from '../model/resource.js';
import type { Values } from './delegate.js';
import { newLines, ownershipOf } from './lines.js';
import { birthValues, completeValuesOf } from './values.js';

/** A new record as the rows to insert, in the order in which they refer to each other. */
export interface NewRecord {
  id: string;
  /** The record's own row, then its lines, one list a kind. Rows of one kind have the same columns. */
  rows: readonly { resource: Resource; values: readonly Values[] }[];
}

/** The rows that creating a record with this input makes: those `createRecord` has Prisma make. */
export function newRecord(resource: Resource, input: Values): NewRecord {
  const birth = birthValues(resource);
  const own = { resource, values: [{ ...completeValuesOf(resource, input), ...birth }] };
  const lists = resource.lines.map(({ resource: child, field }) => ({
    resource: child,
    values: newLines(child, input[field]).map((line) => ({ ...line, ...ownershipOf(resource, child, birth.id) })),
  }));
  return { id: birth.id, rows: [own, ...lists.filter(({ values }) => values.length > 0)] };
}
