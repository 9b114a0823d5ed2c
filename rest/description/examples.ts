/** Examples of values, bodies and records, made from what the models say. */
import type { Field } from '../../src/model/field.js';
import type { Resource } from '../../src/model/resource.js';
import { idLike } from '../request/parameters.js';

export type Example = string | number | boolean | null;

/** A value of a field: one of its known ones, its default, or one of its type. */
export function exampleOf(field: Field): Example {
  const { type, restName, description, knownValues, default: unless } = field;
  if (unless !== undefined) return unless;
  if (knownValues[0] !== undefined) return knownValues[0];
  if (type === 'Float') return 120.5;
  if (type === 'Int') return 1;
  if (type === 'Boolean') return false;
  if (/YYYY-MM-DD/.test(description)) return '2026-11-20';
  return sentence(restName);
}

/** The body of a create: what is required, and one more field. */
export function exampleBody(resource: Resource): Record<string, Example> {
  const needed = resource.fields.filter(({ required, name }) => required && name !== 'idx');
  const further = resource.fields.find(
    ({ required, default: unless, name }) => !required && name !== 'status' && unless === undefined,
  );
  return Object.fromEntries(
    [...needed, ...(further ? [further] : [])].map((field) => [field.restName, valueIn(resource, field)]),
  );
}

/** The body of an update: one field. */
export function exampleChange(resource: Resource): Record<string, Example> {
  const field = resource.fields.findLast(({ name }) => name !== resource.scope && name !== 'parentType');
  return field ? { [field.restName]: exampleOf(field) } : {};
}

export function exampleRecord(resource: Resource): Record<string, Example> {
  const values = resource.fields.map((field) => [field.restName, valueIn(resource, field)] as const);
  const instant = '2026-11-20T08:00:00.000Z';
  return {
    id: idLike(resource),
    ...Object.fromEntries(values),
    ...(resource.timestamps && { created_at: instant, updated_at: instant }),
  };
}

/** A reference of a line is the id of its parent. */
function valueIn({ scope, parents }: Resource, field: Field): Example {
  const parent = parents[0]?.resource;
  return field.name === scope && parent ? idLike(parent) : exampleOf(field);
}

const sentence = (restName: string): string => {
  const words = restName.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
