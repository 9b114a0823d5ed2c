/**
 * Checks documents of an import by the same input types as the API, with what a document brings besides: its id, version,
 * state and instants.
 */
import { GraphQLID, GraphQLInt, type GraphQLSchema, GraphQLString, isInputObjectType } from 'graphql';
import { isObject } from '../../../common/is-object.js';
import { oncePer } from '../../../common/kept.js';
import { didYouMean } from '../../../common/nearest.js';
import { createSchema } from '../../../graphql/create-schema.js';
import {
  type CheckedField,
  type CheckedFields,
  type CheckedType,
  checkedType,
  checkInput,
} from '../../../graphql/guards/check-input.js';
import { kindOf } from '../../../graphql/guards/value-problem.js';
import type { Values } from '../../../model/change.js';
import { invalid, type Problem } from '../../../model/errors/problem.js';
import { instantOfId } from '../../../model/ids.js';
import { parseInstant } from '../../../model/instant.js';
import { isDocumentStatus, statuses } from '../../../model/lifecycle.js';
import { highestVersion, mostAhead } from '../../../model/limits.js';
import { type Resource, scopeOf, singletonId } from '../../../model/resource.js';
import { documentTypes } from '../document-types.js';

/** A line of the input that was refused, with every reason. */
export interface RefusedLine {
  line: number;
  text: string;
  problems: readonly Problem[];
}

/** A line of the input, or several that hold one document. */
export interface ImportItem extends RefusedLine {
  /** Undefined for a line that was refused before anything was read. */
  document: ImportDocument | undefined;
}

export interface ImportDocument {
  resource: Resource;
  values: Values;
  /** What a new document lacks; a document that exists already may leave it out. */
  missing: readonly Problem[];
}

/** Where an item stands in the input. */
type Place = Pick<ImportItem, 'line' | 'text'>;

export type DocumentCheck = (place: Place, given: unknown) => ImportItem;

/** With `updates`, a document with an id may leave out required fields, if it exists already. */
export function documentCheck(resources: readonly Resource[], updates: boolean): DocumentCheck {
  const schema = createSchema({ resources, features: [] });
  const types = new Map(documentTypes(resources).map((resource) => [String(resource.model), resource]));
  const typeOf = oncePer((resource: Resource) => documentType(schema, resource));
  return (place, given) => {
    if (!isObject(given)) return refusedItem(place, `must be a JSON object, not ${kindOf(given)}`);
    const { __typename: name, ...values } = given;
    const resource = typeof name === 'string' ? types.get(name) : undefined;
    if (!resource) return refusedItem(place, unknownType(name, [...types.keys()]), ['__typename']);
    // The API takes a single line for a list of one; here it would be taken for none.
    const found = resource.lines.flatMap(({ field }) => notAList(field, values[field]));
    if (found.length === 0) found.push(...checkInput(values, { type: typeOf(resource), constraint: {} }, []).problems);
    if (found.length === 0) found.push(...timeProblems(values));
    const mayBeThere = resource.kind === 'singleton' || (updates && typeof values.id === 'string');
    const missing = mayBeThere ? found.filter(({ code }) => code === 'parameter_missing') : [];
    const document = { resource, values, missing };
    const problems = found.filter((each) => !missing.includes(each));
    if (problems.length === 0) problems.push(...repeatedIds(document));
    return { ...place, document: problems.length > 0 ? undefined : document, problems };
  };
}

export const refusedItem = (place: Place, message: string, path: Problem['path'] = []): ImportItem => ({
  ...place,
  document: undefined,
  problems: [invalid(path, message)],
});

function unknownType(name: unknown, known: readonly string[]): string {
  if (name === undefined) return 'is required: it names the type of the document, such as AssetRepair';
  return `names no type of documents${didYouMean(String(name), known)}`;
}

const notAList = (field: string, given: unknown): Problem[] =>
  given == null || Array.isArray(given) ? [] : [invalid([field], `must be a list, not ${kindOf(given)}`)];

function documentType(schema: GraphQLSchema, resource: Resource): CheckedType {
  const fields = fieldsOf(schema, resource, resource.kind === 'singleton' ? 'Update' : 'Create', []);
  for (const [place, { resource: line, field }] of resource.lines.entries()) {
    const fromPlace = [scopeOf(line), 'idx', 'parentType'];
    const item = objectType(fieldsOf(schema, line, 'Create', fromPlace));
    const type: CheckedType = { ...item, isNonNull: false, content: { kind: 'list', item } };
    fields[field] = { name: field, place: 1000 + place, type, constraint: {} };
  }
  return objectType(fields);
}

type Fields = Record<string, CheckedField>;

function fieldsOf(schema: GraphQLSchema, resource: Resource, verb: string, without: readonly string[]): Fields {
  const type = schema.getType(`${verb}${resource.model}Input`);
  if (!isInputObjectType(type)) throw new Error(`There is no input type ${verb}${resource.model}Input`);
  const { content } = checkedType(type);
  if (content.kind !== 'object') throw new Error(`${type.name} is an object`);
  const fields: Fields = broughtFields(resource);
  const lists = resource.lines.map(({ field }) => field);
  for (const field of content.fieldsOf().byName.values()) {
    if (without.includes(field.name) || lists.includes(field.name)) continue;
    fields[field.name] = isDocumentStatus(resource, field.name) ? storedStatus(field) : field;
  }
  return fields;
}

/** Documents hold their state as it is stored, and may be brought in any of the three. */
const storedStatus = (field: CheckedField): CheckedField => ({
  ...field,
  type: checkedType(GraphQLString),
  constraint: { oneOf: statuses },
});

/** What the gateway gives to a record that does not bring it. */
function broughtFields(resource: Resource): Fields {
  const optional = (name: string, place: number, type: CheckedType['type'], check?: ValueCheck): CheckedField => ({
    name,
    place,
    type: { type, isNonNull: false, content: check ? { kind: 'value', check } : checkedType(type).content },
    constraint: { minimum: 1, maximum: highestVersion },
  });
  const fields = [
    optional('id', -6, GraphQLID, (given) => idProblem(resource, given)),
    optional('version', -5, GraphQLInt),
    ...(resource.timestamps
      ? [
          optional('createdAt', -4, GraphQLString, instantProblem),
          optional('updatedAt', -3, GraphQLString, instantProblem),
          optional('createdBy', -2, GraphQLString),
          optional('updatedBy', -1, GraphQLString),
        ]
      : []),
  ];
  return Object.fromEntries(fields.map((field) => [field.name, field]));
}

function objectType(fields: Fields): CheckedType {
  const all = Object.values(fields);
  const checked: CheckedFields = {
    byName: new Map(all.map((field) => [field.name, field])),
    required: all.filter(({ type }) => type.isNonNull),
    defaults: [],
  };
  return { type: GraphQLString, isNonNull: true, content: { kind: 'object', fieldsOf: () => checked } };
}

/** Checks the ids and times that a document brings: what is of the future would break it for ever. */
type ValueCheck = (given: unknown) => string | undefined;

const isOfFuture = (instant: number): boolean => instant > Date.now() + mostAhead;

function idProblem(resource: Resource, given: unknown): string | undefined {
  if (typeof given !== 'string') return `must be a string, not ${kindOf(given)}`;
  if (resource.kind === 'singleton') {
    return given === singletonId(resource) ? undefined : `must be ${singletonId(resource)}: there is only this one`;
  }
  const instant = given.startsWith(`${resource.slug}_`) ? instantOfId(given.slice(resource.slug.length)) : undefined;
  if (instant === undefined) {
    return `must be an id as this service makes them, ${resource.slug}_ and 26 characters; leave it out to get a new one`;
  }
  return isOfFuture(instant) ? 'must not be of the future, because ids rise with time' : undefined;
}

const instantProblem: ValueCheck = (given) => {
  if (typeof given !== 'string') return `must be a string, not ${kindOf(given)}`;
  const found = parseInstant(given);
  if (typeof found === 'string') return found;
  return isOfFuture(found.getTime()) ? 'must not be in the future: no change could be after it' : undefined;
};

function timeProblems({ createdAt, updatedAt }: Values): Problem[] {
  if (typeof createdAt !== 'string' || typeof updatedAt !== 'string') return [];
  if (Date.parse(updatedAt) >= Date.parse(createdAt)) return [];
  return [invalid(['updatedAt'], 'must not be before createdAt')];
}

/** The ids that a document brings: its own and those of its lines, by type. */
export function* idsIn({ resource, values }: ImportDocument): Generator<[Resource, string]> {
  if (typeof values.id === 'string') yield [resource, values.id];
  for (const { resource: line, field } of resource.lines) {
    const list = values[field];
    if (!Array.isArray(list)) continue;
    for (const each of list) if (typeof each.id === 'string') yield [line, each.id];
  }
}

function repeatedIds(document: ImportDocument): Problem[] {
  const known = new Set<string>();
  const problems: Problem[] = [];
  for (const [, id] of idsIn(document)) {
    if (known.has(id)) problems.push(invalid([], `names ${id} twice`));
    known.add(id);
  }
  return problems;
}
