/** The call of REST that does the same as an operation of GraphQL, where there is one. */

import type { Call } from './call.js';
import { changesTwin } from './changes-twin.js';
import { noTwin } from './no-twin.js';
import { type FieldArguments, givenArguments, rootField } from './root-field.js';
import type { TranslationProblem } from './shell-words.js';
import type { TypeNames } from './type-names.js';

/** The call, with an empty origin. `variables` are those of the operation. */
export function restTwin(
  document: string,
  variables: FieldArguments,
  types: readonly TypeNames[],
): Call | TranslationProblem {
  const root = rootField(document);
  if ('problem' in root) return root;
  const { operation, field, fields } = root;
  const args = givenArguments(operation, field, variables);
  const name = field.name.value;
  if (name === 'changes' && operation.operation !== 'mutation')
    return changesTwin(operation.operation === 'query' ? '/api/changes' : '/api/events', args, types);
  const found = twinOf(name, args, types);
  if (!found) return { problem: `No endpoint of REST does what the field \`${name}\` does.` };
  const kindOfDocument = isRead(found.operation) ? 'query' : 'mutation';
  if (operation.operation !== kindOfDocument) return { problem: `\`${name}\` is a field of a ${kindOfDocument}.` };
  const { type, operation: kind } = found;
  const lines = type.lines.find((each) => fields.has(each.field));
  // With `asOf`, REST answers a record together with its lines.
  if (lines && args.asOf == null) return linesApart(lines, types);
  const endpoint = type.endpoints.find((each) => each.operation === kind);
  if (!endpoint) return { problem: `REST has no endpoint to ${kind} a ${type.model}.` };
  return callOf(endpoint, kind, type, args);
}

const isRead = (kind: string): boolean => ['retrieve', 'list', 'history'].includes(kind);

function linesApart({ field, model }: TypeNames['lines'][number], types: readonly TypeNames[]): TranslationProblem {
  const list = types.find((each) => each.model === model)?.endpoints.find(({ operation }) => operation === 'list');
  return {
    problem: `REST answers no record with its \`${field}\`: they take a call of their own, GET ${list?.path}?parent_id=…, for each record.`,
  };
}

const verbs = ['create', 'update', 'delete', 'submit', 'cancel'];

function twinOf(
  name: string,
  { id }: FieldArguments,
  types: readonly TypeNames[],
): { type: TypeNames; operation: string } | undefined {
  for (const type of types) {
    if (name === type.one) return { type, operation: 'retrieve' };
    if (name === type.many) return { type, operation: 'list' };
    const verb = verbs.find((each) => name === each + type.model);
    if (verb) return { type, operation: verb };
    if (name.toLowerCase() === `reorder${type.many}`.toLowerCase() && type.many) return { type, operation: 'reorder' };
    if (name === 'history' && String(id).startsWith(`${type.slug}_`)) return { type, operation: 'history' };
  }
  return undefined;
}

/** The arguments that each kind of endpoint takes, as query parameters. */
const inQuery: Record<string, Record<string, string>> = {
  retrieve: { asOf: 'as_of' },
  list: { first: 'limit', offset: 'offset', parentId: 'parent_id' },
  history: { first: 'limit', after: 'after' },
};

function callOf(
  { method, path }: TypeNames['endpoints'][number],
  kind: string,
  type: TypeNames,
  { id, input, expectedVersion, ...others }: FieldArguments,
): Call | TranslationProblem {
  const query = new URLSearchParams();
  let body: FieldArguments | undefined;
  if (kind === 'reorder') {
    const { parentId, ids, ...unknown } = others;
    if (Object.keys(unknown).length > 0) return noTwin(unknown);
    body = { parent_id: parentId, ...(ids == null ? {} : { ids }) };
  } else {
    for (const [name, value] of Object.entries(others)) {
      const parameter = inQuery[kind]?.[name];
      if (!parameter) return noTwin({ [name]: value });
      if (value != null) query.set(parameter, String(value));
    }
  }
  if (kind === 'create' || kind === 'update') {
    const named = restNames(isValues(input) ? input : {}, type);
    if ('problem' in named) return named;
    body = named.body;
  }
  const one = id ?? type.onlyId;
  if (path.includes('{id}') && one == null)
    return { problem: 'Give the id: a variable of the operation has no value.' };
  const place = path.replace('{id}', encodeURIComponent(String(one)));
  return {
    method,
    origin: '',
    path: query.size > 0 ? `${place}?${query}` : place,
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(expectedVersion == null ? {} : { 'if-match': `"${expectedVersion}"` }),
    },
    body: body && JSON.stringify(body),
  };
}

function restNames(
  input: FieldArguments,
  { fields, lines, model, endpoints }: TypeNames,
): { body: FieldArguments } | TranslationProblem {
  const body: FieldArguments = {};
  const hasStates = endpoints.some(({ operation }) => operation === 'submit');
  for (const [name, value] of Object.entries(input)) {
    const field = fields.find((each) => each.name === name);
    // REST has the words of states in lower case.
    const isState = hasStates && name === 'status' && typeof value === 'string';
    if (field) body[field.restName] = isState ? value.toLowerCase() : value;
    else if (lines.some((line) => line.field === name)) {
      return {
        problem: `REST makes each of the \`${name}\` by a call of its own; GraphQL makes them with their record.`,
      };
    } else return { problem: `A ${model} has no field \`${name}\`.` };
  }
  return { body };
}

const isValues = (value: unknown): value is FieldArguments =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
