/** The call of REST that does the same as an operation of GraphQL, where there is one. */

import {
  type FieldNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import { isObject } from '../../../common/is-object.js';
import type { Call } from './curl-line.js';
import type { TranslationProblem } from './shell-words.js';

/** The call, with an empty origin. `variables` are those of the operation. */
export function restTwin(document: string, variables: unknown, types: readonly TypeNames[]): Call | TranslationProblem {
  const root = rootField(document);
  if ('problem' in root) return root;
  const { operation, field, fields } = root;
  const args = givenArguments(operation, field, isObject(variables) ? variables : {});
  const name = field.name.value;
  if (name === 'changes' && operation.operation !== 'mutation')
    return changesTwin(operation.operation === 'query' ? '/api/changes' : '/api/events', args, types);
  const found = twinOf(name, args, types);
  if (!found) return { problem: `No endpoint of REST does what the field \`${name}\` does.` };
  const kindOfDocument = found.operation in inQuery ? 'query' : 'mutation';
  if (operation.operation !== kindOfDocument) return { problem: `\`${name}\` is a field of a ${kindOfDocument}.` };
  const { type, operation: kind } = found;
  const lines = type.lines.find((each) => fields.has(each.field));
  // With `asOf`, REST answers a record together with its lines.
  if (lines && args.asOf == null) return linesApart(lines, types);
  const endpoint = type.endpoints.find((each) => each.operation === kind);
  if (!endpoint) return { problem: `REST has no endpoint to ${kind} a ${type.model}.` };
  return callOf(endpoint, kind, type, args);
}

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

/** The arguments that each kind of endpoint that reads takes, as query parameters. */
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
    const named = restNames(isObject(input) ? input : {}, type);
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

/** The object that a text of JSON is; undefined for any other text. */
export function valuesIn(json: string): FieldArguments | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The call of REST for `changes`, the query or the subscription. */
function changesTwin(
  endpoint: string,
  { after, first, types: models, actions, ...others }: FieldArguments,
  types: readonly Pick<TypeNames, 'model' | 'slug'>[],
): Call | TranslationProblem {
  if (Object.keys(others).length > 0) return noTwin(others);
  for (const [name, list] of Object.entries({ types: models, actions })) {
    if (Array.isArray(list) && list.length === 0)
      return { problem: `An empty list of \`${name}\` asks for no changes at all; REST has no call for that.` };
  }
  const query = new URLSearchParams();
  if (after != null) query.set('after', String(after));
  if (first != null) query.set('limit', String(first));
  // `UOM_CATEGORY` is the type `UOMCategory`. The browser has this code, and none of the model's.
  const typeNamed = (name: unknown) =>
    types.find(({ model }) => model.toUpperCase() === String(name).replaceAll('_', ''));
  const slugs = [models ?? []].flat().map((name) => typeNamed(name)?.slug ?? String(name));
  if (slugs.length > 0) query.set('types', slugs.join(','));
  // REST has the words in lower case.
  const named = [actions ?? []].flat().map((action) => String(action).toLowerCase());
  if (named.length > 0) query.set('actions', named.join(','));
  const path = query.size > 0 ? `${endpoint}?${query}` : endpoint;
  const headers: Record<string, string> = endpoint === '/api/events' ? { accept: 'text/event-stream' } : {};
  return { method: 'GET', origin: '', path, headers, body: undefined };
}

/** Says of the first of these arguments that no endpoint takes it. */
const noTwin = (args: FieldArguments): TranslationProblem => ({
  problem: `REST has nothing for the argument \`${Object.keys(args)[0]}\`: only GraphQL filters, sorts and pages by cursors.`,
});

/** What the translation has to know of a record type. */
export interface TypeNames {
  model: string;
  slug: string;
  /** The id of the only record of a type that has no other. */
  onlyId?: string | undefined;
  /** The queries for one record and for many; empty where there is none. */
  one: string;
  many: string;
  fields: readonly { name: string; restName: string }[];
  lines: readonly { field: string; model: string }[];
  endpoints: readonly { operation?: string; method: string; path: string }[];
}

type FieldArguments = Record<string, unknown>;

/** The operation of a document, the one field at its top, and the names of all its fields. */
function rootField(
  document: string,
): TranslationProblem | { operation: OperationDefinitionNode; field: FieldNode; fields: ReadonlySet<string> } {
  try {
    const parsed = parse(document, { maxTokens: 10_000 });
    const { definitions } = parsed;
    const operations = definitions.flatMap((each) => (each.kind === Kind.OPERATION_DEFINITION ? [each] : []));
    const [operation] = operations;
    if (!operation || operations.length > 1) return { problem: 'Paste one operation: it has none, or several.' };
    const [field, ...others] = operation.selectionSet.selections;
    if (field?.kind !== Kind.FIELD || others.length > 0) {
      return {
        problem: 'A call of REST does one thing: write one field, and no fragment, at the top of the operation.',
      };
    }
    const fields = new Set<string>();
    visit(parsed, { Field: ({ name }) => void fields.add(name.value) });
    return { operation, field, fields };
  } catch (error) {
    // The parser calls itself for each level.
    if (error instanceof RangeError) return { problem: 'It is nested too deep.' };
    if (!(error instanceof GraphQLError)) throw error;
    const [{ line = 1, column = 1 } = {}] = error.locations ?? [];
    return { problem: `It is not GraphQL: ${error.message.replace(/:? ".*$/s, '')}, line ${line}, column ${column}.` };
  }
}

/** The arguments that are given, with the values of variables and their defaults. */
function givenArguments(
  { variableDefinitions = [] }: OperationDefinitionNode,
  field: FieldNode,
  given: FieldArguments,
): FieldArguments {
  const values: FieldArguments = {};
  for (const { variable, defaultValue } of variableDefinitions) {
    const { value: name } = variable.name;
    const value = Object.hasOwn(given, name) ? given[name] : defaultValue && valueFromASTUntyped(defaultValue);
    if (value !== undefined) values[name] = value;
  }
  const args: FieldArguments = {};
  for (const { name, value } of field.arguments ?? []) {
    const isMissing = value.kind === Kind.VARIABLE && !Object.hasOwn(values, value.name.value);
    if (!isMissing) args[name.value] = valueFromASTUntyped(value, values);
  }
  return args;
}
