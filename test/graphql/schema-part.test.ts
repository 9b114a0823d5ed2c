/** What features add to the types and queries of records, and how they answer them. */
import type { GraphQLSchema } from 'graphql';
import { expect, onTestFinished, test } from 'vitest';
import { guardResolver } from '../../src/graphql/answered-by-sql.js';
import { createSchema } from '../../src/graphql/create-schema.js';
import type { SchemaPart } from '../../src/graphql/schema-part.js';
import { startGateway } from '../support/gateway.js';
import { resources } from '../support/resources.js';

const few = resources.filter(({ model }) => /^AssetRepair/.test(model));
const typesOf = (features: readonly SchemaPart[]) => {
  const schema = createSchema({ resources: few, features });
  const { assetRepair, assetRepairs } = schema.getQueryType()?.getFields() ?? {};
  const type = schema.getType('AssetRepair');
  return {
    one: assetRepair?.args.map(({ name }) => name),
    many: assetRepairs?.args.map(({ name }) => name),
    fields: type && 'getFields' in type ? Object.keys(type.getFields()) : [],
  };
};

const part: SchemaPart = {
  arguments: (builder, { one }, query) => builder.args((t) => ({ [`${query}Of${one}`]: t.boolean() })),
  fields: (_, t, { title }) => ({
    title: t.field({ type: 'String', description: 'Its type.', select: {}, resolve: () => title }),
  }),
};

test('without features, records have neither a past nor a history, and lists are not searched', () => {
  const { one, many, fields } = typesOf([]);
  expect(one).toEqual(['id']);
  expect(many).toEqual(['where', 'orderBy', 'first', 'after', 'last', 'before', 'offset']);
  expect(fields).not.toContain('history');
});

test('arguments and fields stand in their places among those of records', () => {
  const { one, many, fields } = typesOf([part]);
  expect(one).toEqual(['id', 'oneOfassetRepair']);
  expect(many?.indexOf('manyOfassetRepair')).toBe(2);
  expect(fields.indexOf('title')).toBe(fields.indexOf('consumedItems') - 1);
});

test('requests without the argument are answered by SQL, and the others by the guards, the last one first', async () => {
  const named =
    (name: string): SchemaPart['guard'] =>
    (schema) => {
      const field = fieldOf(schema);
      guardResolver(field, (resolve) => async (source, { oneOfindustryType: given, ...args }, context, info) => {
        const record = await resolve(source, args, context, info);
        return given ? { ...Object(record), industry: `${name} ${Object(record).industry}` } : record;
      });
    };
  const outer: SchemaPart = {
    guard(schema) {
      guardResolver(fieldOf(schema), (resolve) => async (...call) => {
        const record = Object(await resolve(...call));
        return { ...record, industry: `outer ${record.industry}` };
      });
    },
  };
  const schema = createSchema({ resources, features: [{ ...part, guard: named('inner') }, outer] });
  const gateway = await startGateway({ schema });
  onTestFinished(() => gateway.close());
  const create = 'mutation { createIndustryType(input: { industry: "Ships" }) { record { id } } }';
  const { id } = (await gateway.graphql(create)).body.data.createIndustryType.record;
  const ask = async (selection: string) =>
    (await gateway.graphql(`{ industryType(id: "${id}"${selection} }`)).body.data;
  expect(await ask(') { industry }')).toEqual({ industryType: { industry: 'Ships' } });
  expect(await ask(', oneOfindustryType: true) { industry title }')).toEqual({
    industryType: { industry: 'outer inner Ships', title: 'Industry Type' },
  });
});

function fieldOf(schema: GraphQLSchema) {
  return schema.getQueryType()?.getFields().industryType ?? expect.fail('there is no query');
}
