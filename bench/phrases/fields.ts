/** Selections of a record's documented fields for the GraphQL systems. */
import { snakeOf as snakeCase } from '../../src/model/names.js';
import { resourceOf } from '../../test/support/resources.js';
import type { Model } from '../data.js';

export { snakeCase };

/** `id`, the documented fields, and the timestamps of records that have them, in the documented order. */
export function fieldsOf(model: Model): string[] {
  const { fields, timestamps } = resourceOf(model);
  return ['id', ...fields.map(({ name }) => name), ...(timestamps ? ['createdAt', 'updatedAt'] : [])];
}

/** These fields with REST names as aliases; `columns` maps fields that a system names differently. */
export function restSelection(model: Model, columns: Record<string, string> = {}): string {
  return selection(model, columns, snakeCase);
}

/** These fields with their own names. */
export function ownSelection(model: Model, columns: Record<string, string> = {}): string {
  return selection(model, columns, (name) => name);
}

function selection(model: Model, columns: Record<string, string>, alias: (name: string) => string): string {
  return fieldsOf(model)
    .map((name) => [alias(name), columns[name] ?? name])
    .map(([key, field]) => (key === field ? key : `${key}: ${field}`))
    .join(' ');
}
