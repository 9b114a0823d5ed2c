/** Column values: of an input, of a new record, and those that differ. */
import type { Values } from '../../model/change.js';
import type { Resource } from '../../model/resource.js';
import { ids } from '../ids.js';

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
 * All columns of a new record, with defaults or null for what the input leaves out, so that rows inserted together have
 * the same columns.
 */
function completeValuesOf(resource: Resource, input: Values): Values {
  const values: Values = {};
  for (const field of resource.fields) {
    if (input[field.name] !== undefined || !field.required) {
      values[field.name] = input[field.name] ?? field.default ?? null;
    }
  }
  return values;
}

/**
 * The row of a new record: the fields of the input, its id and, except for lines, both timestamps; `more` holds further
 * columns. Assigned instead of spread, which takes several times as long.
 */
export const newRow = (resource: Resource, input: Values, more: Values = {}): Values & { id: string } =>
  Object.assign(completeValuesOf(resource, input), more, newRecordValues(resource));

function newRecordValues(resource: Resource): Values & { id: string } {
  const { id, createdAt } = ids.next(resource.slug);
  return resource.timestamps ? { id, createdAt, updatedAt: createdAt } : { id };
}

/** The values that differ from the record. */
export function differences(present: Values, values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== present[name]));
}
