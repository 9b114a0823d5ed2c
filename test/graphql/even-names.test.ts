/** One rule names the operations of a type, their inputs and their payloads, for each of the 38 types. */
import { type GraphQLField, isEnumType, isInputObjectType, isInterfaceType, isNamedType, isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { documentedResources, documentLike } from '../contract/document.js';
import { modelName } from '../contract/documented-fields.js';
import { manyOf, mutationOf, oneOf, pluralOf } from '../contract/graphql-names.js';
import { schema } from '../support/schema.js';

/** `createAssetRepair(input: CreateAssetRepairInput!): AssetRepairPayload` */
function written(field: GraphQLField<unknown, unknown> | undefined): string {
  if (!field) return 'nothing';
  const args = field.args.map(({ name, type }) => `${name}: ${type}`);
  return `(${args.join(', ')}): ${field.type}`;
}

const mutation = (name: string) => written(schema.getMutationType()?.getFields()[name]);
const query = (name: string) => written(schema.getQueryType()?.getFields()[name]);

describe.each(documentedResources.map((resource) => [resource.title, resource] as const))('%s', (title, resource) => {
  const type = modelName(title);
  const { kind } = resource;
  const payload = `${type}Payload`;
  const id = kind === 'singleton' ? 'id: ID' : 'id: ID!';

  test('is changed by mutations that answer payloads, alone and many at once', () => {
    const lists = kind === 'resource' ? pluralOf(resource) : '';
    const expected: Record<string, string> = {
      [mutationOf('update', resource)]: `(${id}, expectedVersion: Int, input: Update${type}Input!): ${payload}`,
      ...(kind !== 'singleton' && {
        [mutationOf('create', resource)]: `(input: Create${type}Input!): ${payload}`,
        [mutationOf('delete', resource)]: '(id: ID!, expectedVersion: Int): DeletePayload',
      }),
      ...(kind !== 'child' && {
        [mutationOf('save', resource)]:
          `(${id}, expectedVersion: Int, input: Save${type}Input!, validateOnly: Boolean!): ${payload}`,
      }),
      ...(documentLike.includes(title) && {
        [mutationOf('submit', resource)]: `(id: ID!, expectedVersion: Int): ${payload}`,
        [mutationOf('cancel', resource)]: `(id: ID!, expectedVersion: Int): ${payload}`,
      }),
      ...(kind === 'child' && {
        [`reorder${pluralOf(resource)}`]: `(parentId: ID!, ids: [ID!]): ${type}ListPayload`,
      }),
      ...(lists && {
        [`createMany${lists}`]: `(inputs: [Create${type}Input!]!): ${type}ListPayload`,
        [`updateMany${lists}`]: `(updates: [UpdateMany${lists}Item!]!): ${type}ListPayload`,
        [`deleteMany${lists}`]: '(ids: [ID!]!): DeleteManyPayload',
        [`actOnMany${lists}`]: `(ids: [ID!], where: ${type}Filter, action: RecordAction!, input: Update${type}Input, validateOnly: Boolean!, after: ID): ActOnManyPayload`,
      }),
    };
    const found = Object.fromEntries(Object.keys(expected).map((name) => [name, mutation(name)]));
    expect(found).toEqual(expected);
  });

  test('is read by one field, a list and an aggregate, whose types have its name', () => {
    if (kind === 'singleton') return expect(query(oneOf(resource))).toMatch(new RegExp(`: ${type}$`));
    expect(query(oneOf(resource))).toMatch(new RegExp(`^\\(id: ID!.*: ${type}$`));
    expect(query(manyOf(resource))).toMatch(
      new RegExp(`where: ${type}Filter, .*\\[${type}Sort!\\].*: ${type}Connection$`),
    );
    expect(query(`${oneOf(resource)}Aggregate`)).toMatch(new RegExp(`where: ${type}Filter, .*: ${type}Aggregate$`));
  });

  test('has the payload that all have: the record, what a save has changed, and errors', () => {
    const found = schema.getType(payload);
    expect(isNamedType(found) && isObjectType(found)).toBe(true);
    const fields = isObjectType(found) ? found.getFields() : {};
    expect(Object.entries(fields).map(([name, field]) => `${name}: ${field.type}`)).toEqual([
      `record: ${type}`,
      'changes: SaveChanges',
      'userErrors: [UserError!]!',
    ]);
  });
});

test('every mutation answers a payload with errors like those of others', () => {
  for (const { name, type } of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    expect(isObjectType(type) && type.name, name).toMatch(/Payload$/);
    expect(String(isObjectType(type) && type.getFields().userErrors?.type), name).toBe('[UserError!]!');
  }
});

test('a delete answers the same payload for all, with errors like those of others', () => {
  const payload = schema.getType('DeletePayload');
  const fields = isObjectType(payload) ? payload.getFields() : {};
  expect(Object.keys(fields)).toEqual(['deletedId', 'deleted', 'parent', 'userErrors']);
  expect(String(fields.userErrors?.type)).toBe('[UserError!]!');
});

const named = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));

test('every value of an enum is written in capitals', () => {
  const values = named.filter(isEnumType).flatMap((type) => type.getValues().map(({ name }) => name));
  expect(values).toEqual(expect.arrayContaining(['ASSET_REPAIR', 'UOM_CATEGORY', 'BOM_CREATOR', 'BY_HAND']));
  expect(values).toContain('PROCESS_STATEMENT_OF_ACCOUNTS_CC');
  expect(values.filter((value) => !/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(value))).toEqual([]);
});

/** Of each field, argument and input field: its name, and the name of its type. */
const places = named.flatMap((type) => {
  const fields = isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? type.getFields() : {};
  return Object.values(fields).flatMap((field) =>
    [field, ...('args' in field ? field.args : [])].map(({ name, type: given }) => ({
      place: `${type.name}.${field.name} ${name}`,
      name,
      type: String(given).replaceAll(/[[\]!]/g, ''),
    })),
  );
});

test('ids are of the type ID', () => {
  const ids = places.filter(
    ({ name, type }) => /(^id|Id|^ids|Ids)$/.test(name) && !/^(Float|Int)|Connection$/.test(type),
  );
  expect(ids.length).toBeGreaterThan(100);
  expect(ids.filter(({ type }) => !/^ID(Comparison|Aggregate)?$/.test(type))).toEqual([]);
});

/** The state of a Serial No is a text like any other, and what is stored may hold any word. */
test('states of documents are of the type DocumentStatus', () => {
  const states = places.filter(({ name }) => name === 'status' || /State$/.test(name));
  expect(states.map(({ place }) => place)).toContain('UserError.currentState currentState');
  const texts = states.filter(({ type }) => !/^DocumentStatus/.test(type)).map(({ place }) => place);
  expect(texts.filter((place) => !/SerialNo/.test(place))).toEqual(['WebhookAttempt.status status']);
});

test('no name says a word twice', () => {
  const words = (name: string) => name.split(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
  const names = named.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['SubcontractingOrderSort', 'TaxWithholdingGroupAggregateSort']));
  expect(names.filter((name) => words(name).some((word, index, all) => word === all[index + 1]))).toEqual([]);
});
