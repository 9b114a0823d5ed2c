/** The schema is small enough to be read and to be loaded by tools. */
import {
  type GraphQLNamedType,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  parse,
} from 'graphql';
import { expect, test } from 'vitest';
import { startGateway } from '../support/gateway.js';
import { schema } from '../support/schema.js';
import { sdlOf } from '../support/sdl.js';

const sdl = sdlOf(schema);

test('has at most 700 types', () => {
  const types = parse(sdl).definitions.filter(({ kind }) => kind.endsWith('TypeDefinition'));
  expect(types.length).toBeGreaterThan(300);
  expect(types.length).toBeLessThanOrEqual(700);
});

test('takes hardly more than a megabyte as text', () => {
  expect(Buffer.byteLength(sdl)).toBeLessThanOrEqual(1_010_000);
});

test('begins with the records, of which each has its parts together', () => {
  const names = [...sdl.matchAll(/^(?:type|interface|input|enum|scalar|union) (\w+)/gm)].map(([, name]) => name);
  expect(names.slice(0, 6)).toEqual([
    'Node',
    'BusinessRecord',
    'MainRecord',
    'BusinessDocument',
    'SigningDocument',
    'SigningSignature',
  ]);
  expect(names.slice(names.indexOf('Query'), names.indexOf('Query') + 3)).toEqual([
    'Query',
    'Mutation',
    'Subscription',
  ]);
  const partsOfLines = names.flatMap((name, index) => (/AssetRepairConsumedItem./.test(name ?? '') ? [index] : []));
  expect(partsOfLines.at(-1)).toBe((partsOfLines[0] ?? 0) + partsOfLines.length - 1);
});

test('lists its types in the same order to who introspects it', async () => {
  const gateway = await startGateway();
  const { body } = await gateway.graphql('{ __schema { description types { name } } }');
  await gateway.close();
  const printed = [...sdl.matchAll(/^(?:type|interface|input|enum|scalar|union) (\w+)/gm)].map(([, name]) => name);
  const listed: string[] = body.data.__schema.types.map(({ name }: { name: string }) => name);
  const isOwn = (name: string) => printed.includes(name);
  expect(listed.filter(isOwn)).toEqual(printed);
  expect(listed.findIndex(isOwn)).toBe(0);
  expect(body.data.__schema.description).toBe(schema.description);
});

test('has no type that no operation can reach', () => {
  const reached = new Set<string>();
  const reach = (type: GraphQLNamedType) => {
    if (reached.has(type.name)) return;
    reached.add(type.name);
    if (isUnionType(type)) type.getTypes().forEach(reach);
    if (isInterfaceType(type)) schema.getPossibleTypes(type).forEach(reach);
    if (isInputObjectType(type)) for (const field of Object.values(type.getFields())) reach(getNamedType(field.type));
    if (!isObjectType(type) && !isInterfaceType(type)) return;
    type.getInterfaces().forEach(reach);
    for (const { type: answer, args } of Object.values(type.getFields())) {
      for (const each of [answer, ...args.map((argument) => argument.type)]) reach(getNamedType(each));
    }
  };
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    if (root) reach(root);
  }
  const declared = parse(sdl).definitions.flatMap((definition) =>
    definition.kind.endsWith('TypeDefinition') && 'name' in definition && definition.name
      ? [definition.name.value]
      : [],
  );
  expect(declared.filter((name) => !reached.has(name))).toEqual([]);
});

test('has a description that says where to begin', () => {
  expect(schema.description).toContain('Begin with a record type');
});
