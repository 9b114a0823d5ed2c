import { buildSchema, type GraphQLNamedType, GraphQLSchema, validateSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../support/schema.js';
import { acceptedSdl, breakingChanges, committedSdl, differences, sdlOf } from '../support/sdl.js';

describe('the committed SDL, docs/schema.graphql', () => {
  test('is the schema that is served; `npm run sdl` accepts a change', () => {
    const isSame = committedSdl() === sdlOf(schema);
    expect(isSame, `npm run sdl accepts this:\n${differences(committedSdl(), sdlOf(schema))}`).toBe(true);
  });

  test('is broken by nothing; `npm run sdl -- --breaking` accepts what is meant', () => {
    expect(breakingChanges(committedSdl(), sdlOf(schema))).toEqual([]);
  });

  test('has no type that no field leads to', () => {
    // A schema made only from its root types has the reachable types, with the implementations of interfaces.
    const roots = { query: schema.getQueryType(), mutation: schema.getMutationType() };
    const implementing = Object.values(schema.getTypeMap()).filter(isOfInterface);
    const reached = new GraphQLSchema({ ...roots, subscription: schema.getSubscriptionType(), types: implementing });
    expect(Object.keys(schema.getTypeMap()).filter((name) => !reached.getType(name))).toEqual([]);
  });

  test('has each field on a line of its own, not between two descriptions', () => {
    expect(committedSdl().match(/^ *"""\w+: [\w[\]!]+( @.*)?"""$/gm) ?? []).toEqual([]);
  });

  test('is a valid schema by itself', () => {
    expect(validateSchema(buildSchema(committedSdl()))).toEqual([]);
  });
});

describe('npm run sdl', () => {
  const before = 'type Query { repair(id: ID!): Repair }\ntype Repair { id: ID! cost: Float! }\n';

  test('accepts an addition', () => {
    const after =
      'type Query { repair(id: ID!, at: String): Repair }\ntype Repair { id: ID! cost: Float! paid: Int }\n';
    expect(acceptedSdl(before, after, { breaking: false })).toBe(after);
  });

  test.each([
    [
      'a field that is gone',
      'type Query { repair(id: ID!): Repair }\ntype Repair { id: ID! }\n',
      /Repair.cost was removed/,
    ],
    [
      'a value that may now be null',
      'type Query { repair(id: ID!): Repair }\ntype Repair { id: ID! cost: Float }\n',
      /Repair.cost changed type from Float! to Float/,
    ],
    [
      'an argument that is now required',
      'type Query { repair(id: ID!, at: String!): Repair }\ntype Repair { id: ID! cost: Float! }\n',
      /required arg at/,
    ],
  ])('refuses %s, and accepts it with --breaking', (_, after, message) => {
    expect(() => acceptedSdl(before, after, { breaking: false })).toThrow(message);
    expect(acceptedSdl(before, after, { breaking: true })).toBe(after);
  });

  test('shows the lines that differ', () => {
    expect(differences('a\nb\n', 'a\nc\nc\n')).toBe('- b\n+ c');
  });
});

const isOfInterface = (type: GraphQLNamedType): boolean => 'getInterfaces' in type && type.getInterfaces().length > 0;
