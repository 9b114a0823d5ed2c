/**
 * Converts path, query and body to the variables of the operation. Translates names, keeps null (it clears a field),
 * and reports what the GraphQL types cannot check, such as unknown names.
 */
import { largestPageSize } from '../src/model/limits.js';
import type { Resource } from '../src/model/resource.js';
import { shortened, unknownName } from '../src/schema/guards/input-problems.js';
import type { RestOperation } from './operations.js';
import { type RestProblem, restProblem } from './problem.js';

export interface TranslatedVariables {
  variables: Record<string, unknown>;
  problems: RestProblem[];
}

export interface Sources {
  /** From the path, decoded. */
  id: string | undefined;
  /** From `If-Match`. */
  expectedVersion: number | undefined;
  query: URLSearchParams;
  body: Readonly<Record<string, unknown>>;
}

export function variablesOf(
  { operation, resource }: RestOperation,
  { id, expectedVersion, query, body }: Sources,
): TranslatedVariables {
  switch (operation) {
    case 'create':
      return inputVariables(resource, body, {});
    case 'update':
      return inputVariables(resource, body, { id, expectedVersion });
    case 'list':
      return pageVariables(resource, query);
    case 'reorder':
      return reorderVariables(query, body);
    case 'retrieve':
      return { variables: { id }, problems: [] };
    default:
      return { variables: { id, expectedVersion }, problems: [] };
  }
}

/** Present in every record but not writable: ignored, so that a record can be sent back as it was read. */
const readOnly = new Set(['id', 'created_at', 'updated_at']);

function inputVariables(
  resource: Resource,
  body: Sources['body'],
  others: Record<string, unknown>,
): TranslatedVariables {
  const names = namesOf(resource);
  const input: Record<string, unknown> = {};
  const problems: RestProblem[] = [];
  for (const [restName, value] of Object.entries(body)) {
    const name = names.get(restName);
    if (name) input[name] = value;
    else if (!readOnly.has(restName)) problems.push(unknownParameter(restName, [...names.keys()]));
    if (problems.length >= 50) break;
  }
  return { variables: { ...others, input }, problems };
}

function pageVariables(resource: Resource, query: URLSearchParams): TranslatedVariables {
  const problems: RestProblem[] = [];
  const once = (name: string): string | undefined => {
    const values = query.getAll(name);
    if (values.length > 1) problems.push(repeated(name));
    return values[0];
  };
  const wholeNumber = (name: string, smallest: number, largest: number): number | undefined => {
    const text = once(name);
    if (text === undefined) return undefined;
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= smallest && value <= largest) return value;
    const message = `must be a whole number from ${smallest} to ${largest}`;
    problems.push(restProblem(name, 'parameter_invalid', message));
    return undefined;
  };
  const variables: Record<string, unknown> = {
    limit: wholeNumber('limit', 1, largestPageSize),
    offset: wholeNumber('offset', 0, 2 ** 31 - 1),
  };
  if (resource.kind === 'child') variables.parentId = once('parent_id') || undefined;
  return { variables, problems };
}

function reorderVariables(query: URLSearchParams, body: Sources['body']): TranslatedVariables {
  const problems = Object.keys(body)
    .filter((name) => name !== 'parent_id' && name !== 'ids')
    .slice(0, 50)
    .map((name) => unknownParameter(name, ['parent_id', 'ids']));
  if (query.getAll('parent_id').length > 1) problems.push(repeated('parent_id'));
  const parentId = body.parent_id ?? query.get('parent_id') ?? undefined;
  if (parentId === undefined) {
    const message = 'is required; send {"parent_id": "…", "ids": [every line once, in the new order]}';
    problems.unshift(restProblem('parent_id', 'parameter_missing', message));
  }
  // GraphQL would accept a single value as a list of one; REST does not.
  if (body.ids != null && !Array.isArray(body.ids)) {
    problems.push(restProblem('ids', 'parameter_invalid', 'must be a list of ids'));
  }
  return { variables: { parentId, ids: body.ids }, problems };
}

const unknownParameter = (name: string, known: string[]): RestProblem =>
  restProblem(shortened(name), 'parameter_unknown', unknownName(name, known));

const repeated = (name: string): RestProblem =>
  restProblem(name, 'parameter_invalid', 'is given more than once; send it once');

const nameMaps = new WeakMap<Resource, Map<string, string>>();

/** Maps the REST name of each field to its GraphQL name. */
function namesOf(resource: Resource): Map<string, string> {
  let names = nameMaps.get(resource);
  if (!names) {
    names = new Map(resource.fields.map((field) => [field.restName, field.name]));
    nameMaps.set(resource, names);
  }
  return names;
}
