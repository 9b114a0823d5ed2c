/** Column values: of an input, of a new record, and those that differ. */
import { oncePer } from '../common/kept.js';
import type { Author, Values } from '../model/change.js';
import { authorColumns, type Resource } from '../model/resource.js';
import { ids } from '../query/ids.js';
import { subjectOf } from '../query/rights.js';

/**
 * The columns that an input sets. A field left out stays unchanged; null sets the default if there is one
 * (docs/decisions.md: null). Names that are not documented fields are ignored here; the caller handles them.
 */
export function valuesOf(resource: Resource, input: Values): Values {
  const values: Values = {};
  for (const field of resource.fields) {
    const value = input[field.name];
    if (value !== undefined) values[field.name] = value ?? field.default ?? null;
  }
  return values;
}

/**
 * The row of a new record: the fields of the input, defaults or null for the others, its id and, except for lines, both
 * timestamps; `more` holds further columns. Rows of one type have the same columns, so that they can be inserted together.
 */
export function newRow(resource: Resource, input: Values, more?: Values): Values & { id: string } {
  const { empty, names } = emptyRow(resource);
  // Copied whole and then filled: adding a column to the copy would take many times as long as the copy.
  const row = { ...empty };
  for (const name in input) {
    const value = input[name];
    if (value != null && names.has(name)) row[name] = value;
  }
  for (const name in more) row[name] = more[name];
  const { id, createdAt } = ids.next(resource.slug);
  row.id = id;
  if (resource.timestamps) {
    row.createdAt = createdAt;
    row.updatedAt = createdAt;
  }
  return row;
}

/** How `createdBy` and `updatedBy` name an author of the journal. Nobody has called the commands on the server. */
export const namedAuthor = ({ keyId }: Pick<Author, 'keyId'>): string | null =>
  commands.has(keyId) ? null : subjectOf({ keyId });

const commands: ReadonlySet<string> = new Set(['import', 'seed', 'check']);

/** The columns that refer to the parent. */
export function ownershipOf(parent: Resource, child: Resource, parentId: string): Values {
  const reference = child.parents.find(({ resource }) => resource === parent)?.reference;
  const isOfAnyParent = child.fields.some(({ name }) => name === 'parentType');
  return {
    ...(reference ? { [reference]: parentId } : {}),
    ...(isOfAnyParent ? { parentId, parentType: parent.title } : {}),
  };
}

/**
 * All columns of a record of which nothing is given, and those that an input sets: not all, such as the reference to a parent that a
 * line need not have.
 */
const emptyRow = oncePer((resource: Resource) => {
  const columns: Values = {};
  for (const field of resource.fields) columns[field.name] = field.default ?? null;
  for (const { reference } of resource.parents) columns[reference] ??= null;
  if (resource.timestamps) for (const name of ['createdAt', 'updatedAt', ...authorColumns]) columns[name] = null;
  // V8 copies an object that was parsed twenty times as fast as one that was filled field by field.
  const empty: Values & { id: string } = JSON.parse(JSON.stringify({ id: '', ...columns }));
  return { empty, names: new Set(resource.fields.map(({ name }) => name)) };
});

export interface StoredRecord {
  id: string;
  version: number;
  values: Values;
}

export function differences(present: Values, values: Values): Values {
  const different: Values = {};
  for (const name in values) if (values[name] !== present[name]) different[name] = values[name];
  return different;
}
