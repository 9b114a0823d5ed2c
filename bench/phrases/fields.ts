/** The documented fields of a record, as the GraphQL systems are asked for them. */
import { snakeOf as snakeCase } from '../../src/model/names.js';
import { resourceOf } from '../../src/model/resource.js';
import type { Model } from '../data.js';

export { snakeCase };

/** `id`, the document's fields, and the timestamps of what has them, in the document's order. */
export function fieldsOf(model: Model): string[] {
  const { fields, timestamps } = resourceOf(model);
  return ['id', ...fields.map(({ name }) => name), ...(timestamps ? ['createdAt', 'updatedAt'] : [])];
}

/** Those fields under the names of the REST body; `columns` are the names of fields that a system calls otherwise. */
export function restSelection(model: Model, columns: Record<string, string> = {}): string {
  return selection(model, columns, snakeCase);
}

/** Those fields under their own names. */
export function ownSelection(model: Model, columns: Record<string, string> = {}): string {
  return selection(model, columns, (name) => name);
}

function selection(model: Model, columns: Record<string, string>, alias: (name: string) => string): string {
  return fieldsOf(model)
    .map((name) => [alias(name), columns[name] ?? name])
    .map(([key, field]) => (key === field ? key : `${key}: ${field}`))
    .join(' ');
}
