/** How the values of a case are sent to each surface, and the names by which they are reported there. */
import { camelOf } from '../../src/model/names.js';
import type { Resource } from '../../src/model/resource.js';
import type { Target } from './places.js';
import type { RawRequest } from './raw-request.js';
import type { ValueCase } from './value-case.js';

export type Operation = 'create' | 'update';
export type Surface = 'REST' | 'GraphQL';

/** The request that sends the values of a case through `surface`. */
export function requestFor(
  surface: Surface,
  operation: Operation,
  { resource, id, required }: Target,
  { members, bare }: Pick<ValueCase, 'members' | 'bare'>,
): RawRequest {
  const all = operation === 'create' && !bare ? [required, members] : [members];
  const body = `{${all.filter((part) => part !== '').join(', ')}}`;
  if (surface === 'REST') {
    return operation === 'create'
      ? { method: 'POST', path: resource.base, body }
      : { method: 'PATCH', path: `${resource.base}/${id}`, body };
  }
  return {
    method: 'POST',
    path: '/graphql',
    body: `{"query": ${JSON.stringify(mutation(operation, resource))}, "variables": {"id": "${id}", "input": ${inCamelCase(body, resource)}}}`,
  };
}

/** The name by which a surface reports a field, or a name that is none. */
export function reportedName(surface: Surface, { resource }: Pick<Target, 'resource'>, name: string): string {
  if (surface === 'REST') return name;
  return `input.${resource.fields.some(({ restName }) => restName === name) ? camelOf(name) : name}`;
}

function mutation(operation: Operation, { model }: Resource): string {
  return operation === 'create'
    ? `mutation ($input: Create${model}Input!) { create${model}(input: $input) { record { id } } }`
    : `mutation ($id: ID!, $input: Update${model}Input!) { update${model}(id: $id, input: $input) { record { id } } }`;
}

/** The same JSON text, but for the names of the resource's fields, which become those of GraphQL. */
function inCamelCase(json: string, { fields }: Resource): string {
  const names = new Set(fields.map(({ restName }) => restName));
  return json.replace(/"([a-z_]+)"(?=:)/g, (text, name: string) => (names.has(name) ? `"${camelOf(name)}"` : text));
}
