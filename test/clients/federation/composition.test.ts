/**
 * The schema composes alone and with a subgraph that extends its records, but not with one that defines the same
 * fields.
 */
import { readFileSync } from 'node:fs';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { buildSchema, isInterfaceType, isObjectType, isUnionType, parse } from 'graphql';
import { expect, test } from 'vitest';
import { federated, subgraphSdl } from '../../features/federation/subgraph.js';
import { schema } from '../../support/schema.js';
import { composed } from './composed.js';
import { warrantiesSdl } from './warranties.js';

const records = subgraphSdl;

test("Apollo's library for subgraphs reads it, and finds the same entities", () => {
  const read = buildSubgraphSchema({ typeDefs: parse(subgraphSdl) });
  const union = read.getType('_Entity');
  const ours = federated.getType('_Entity');
  if (!isUnionType(union) || !isUnionType(ours)) throw new Error('There is no union _Entity');
  const names = (type: typeof union) =>
    type
      .getTypes()
      .map(({ name }) => name)
      .toSorted();
  expect(names(ours)).toEqual(names(union));
  const theirs = read.getQueryType()?.getFields();
  const own = federated.getQueryType()?.getFields();
  expect(String(own?._entities?.type)).toBe(String(theirs?._entities?.type));
  expect(own?._entities?.args.map(String)).toEqual(theirs?._entities?.args.map(String));
  expect(String(own?._service?.type)).toBe(String(theirs?._service?.type));
});

test('it composes alone, and the supergraph has each of its fields', () => {
  const supergraph = buildSchema(composed({ records }), { assumeValidSDL: true });
  for (const [name, type] of Object.entries(schema.getTypeMap())) {
    if (name.startsWith('__') || !(isObjectType(type) || isInterfaceType(type))) continue;
    const other = supergraph.getType(name);
    if (!isObjectType(other) && !isInterfaceType(other)) throw new Error(`The supergraph has no ${name}`);
    expect(Object.keys(other.getFields()).toSorted()).toEqual(Object.keys(type.getFields()).toSorted());
  }
});

test('it composes with a subgraph that adds a field to its records, names its lines, and has pages of its own', () => {
  const supergraph = buildSchema(composed({ records, warranties: warrantiesSdl }), { assumeValidSDL: true });
  const repair = supergraph.getType('AssetRepair');
  const warranty = supergraph.getType('Warranty');
  if (!isObjectType(repair) || !isObjectType(warranty)) throw new Error('A type is missing');
  expect(Object.keys(repair.getFields())).toEqual(expect.arrayContaining(['asset', 'consumedItems', 'warranty']));
  expect(String(warranty.getFields().item?.type)).toBe('AssetRepairConsumedItem');
});

test('it composes with the subgraph that the page shows', () => {
  const [, sdl = ''] = /```\n(extend schema [\s\S]*?)```/.exec(readFileSync('docs/federation.md', 'utf8')) ?? [];
  const supergraph = buildSchema(composed({ records, other: sdl }), { assumeValidSDL: true });
  const repair = supergraph.getType('AssetRepair');
  expect(isObjectType(repair) && Object.keys(repair.getFields())).toEqual(
    expect.arrayContaining(['asset', 'warranty']),
  );
});

test.each([
  [
    'a field of a record',
    'type AssetRepair @key(fields: "id") { id: ID! asset: String } type Query { other: AssetRepair }',
  ],
  ['`node`', 'type Query { node(id: ID!): Node } interface Node { id: ID! } type Other implements Node { id: ID! }'],
  ['the name of a type of its own', 'type UserError { message: String! } type Query { other: UserError }'],
])('composition refuses another subgraph that claims %s without asking', (_what, sdl) => {
  const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key", "@shareable"])';
  expect(() => composed({ records, other: `${link} ${sdl}` })).toThrow('INVALID_FIELD_SHARING');
});
