/** The schema follows Relay's specifications of object identification and of cursor connections, for every type. */
import { type GraphQLFieldMap, isInterfaceType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { documentedResources } from '../contract/document.js';
import { modelName } from '../contract/documented-fields.js';
import { manyOf } from '../contract/graphql-names.js';
import { schema } from '../support/schema.js';

const titles = documentedResources.map((resource) => [resource.title, resource] as const);
const lists = titles.filter(([, { kind }]) => kind !== 'singleton');
/** Administered, and no record. */
const otherIds = ['ApiKey', 'Webhook'];

test('an object has an `id` if and only if it is a Node, for caches hold one object under an id', () => {
  const withId = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !type.name.startsWith('__') && type.getFields().id ? [type.name] : [],
  );
  expect(withId.sort()).toEqual([...titles.map(([title]) => modelName(title)), ...otherIds].sort());
  for (const name of withId.filter((each) => !otherIds.includes(each))) {
    const type = schema.getType(name);
    expect(isObjectType(type) && type.getInterfaces().map(String).slice(0, 2)).toEqual(['Node', 'BusinessRecord']);
  }
});

test('Node and the field that finds one', () => {
  const node = schema.getType('Node');
  expect(isInterfaceType(node) && shapeOf(node.getFields())).toEqual({ id: 'ID!' });
  const field = schema.getQueryType()?.getFields().node;
  expect([field?.args.map(({ name, type }) => `${name}: ${type}`), String(field?.type)]).toEqual([['id: ID!'], 'Node']);
});

test.each(lists)('%s: a list is a connection', (title, resource) => {
  const name = modelName(title);
  const list = schema.getQueryType()?.getFields()[manyOf(resource)];
  const types = Object.fromEntries(list?.args.map(({ name: argument, type }) => [argument, String(type)]) ?? []);
  expect(types).toMatchObject({ first: 'Int', after: 'String', last: 'Int', before: 'String' });
  expect(fieldsOf(list?.type)).toMatchObject({ edges: `[${name}Edge!]!`, nodes: `[${name}!]!`, pageInfo: 'PageInfo!' });
  expect(String(list?.type)).toBe(`${name}Connection`);
  expect(shapeOf(object(`${name}Edge`))).toEqual({ cursor: 'String!', node: `${name}!` });
});

test('PageInfo has both directions', () => {
  expect(shapeOf(object('PageInfo'))).toEqual({
    hasNextPage: 'Boolean!',
    hasPreviousPage: 'Boolean!',
    startCursor: 'String',
    endCursor: 'String',
  });
});

test('every mutation answers what it has written, or what is gone', () => {
  const answers = Object.values(schema.getMutationType()?.getFields() ?? {}).map(({ name, type }) => {
    const told = ['record', 'records', 'deletedId', 'deletedIds', 'apiKey', 'webhook', 'message', 'results'];
    const payload = fieldsOf(type);
    return [name, told.some((field) => field in payload) && payload.userErrors === '[UserError!]!'] as const;
  });
  expect(answers.filter(([, isTold]) => !isTold).map(([name]) => name)).toEqual([]);
});

const fieldsOf = (type: unknown): Record<string, string> => (isObjectType(type) ? shapeOf(type.getFields()) : {});

function object(name: string) {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`${name} is no object type`);
  return type.getFields();
}

/** The fields with their types, as SDL writes them. */
function shapeOf(fields: GraphQLFieldMap<unknown, unknown>): Record<string, string> {
  return Object.fromEntries(Object.values(fields).map(({ name, type }) => [name, String(type)]));
}
