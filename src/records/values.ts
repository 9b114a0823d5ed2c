import { exactNumber } from '../database/exact-number.js';
import type { Resource } from '../model/resource.js';
import type { Values } from './delegate.js';
import { ids } from './ids.js';

/**
 * The columns an input sets. What is left out stays as it is; null clears a field to its default where it has one
 * (decision: null). Names that are not fields of the document are passed over: they belong to the caller.
 */
export function valuesOf(resource: Resource, input: Values): Values {
  const values: Values = {};
  for (const field of resource.fields) {
    const value = input[field.name];
    if (value === undefined) continue;
    values[field.name] = value === null ? (field.default ?? null) : stored(value);
  }
  return values;
}

/** Every column of a new record: what an input leaves out has its default, or nothing. So rows made at once are alike. */
export function completeValuesOf(resource: Resource, input: Values): Values {
  const optional = resource.fields.filter(({ required }) => !required);
  const unset = Object.fromEntries(optional.map((field) => [field.name, field.default ?? null]));
  return { ...unset, ...valuesOf(resource, input) };
}

/** Prisma keeps every double as it is only in this form; whatever is no number stays. */
function stored(value: unknown): unknown {
  return typeof value === 'number' ? exactNumber(value) : value;
}

/** What every new record starts with: its id and, but for children, the same instant as both timestamps. */
export function birthValues(resource: Resource): Values & { id: string } {
  const { id, createdAt } = ids.next(resource.slug);
  return resource.timestamps ? { id, createdAt, updatedAt: createdAt } : { id };
}

/** What every write to an existing record changes besides its fields. */
export function touchValues(resource: Resource): Values {
  return { version: { increment: 1 }, ...timeValues(resource) };
}

/** The time of a write to an existing record, where its type keeps one. */
export function timeValues({ timestamps }: Resource): Values {
  return timestamps ? { updatedAt: ids.now() } : {};
}
