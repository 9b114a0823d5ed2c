/** What an argument offers it takes: each field of each input is accepted in a request, wherever its type is taken. */
import {
  type GraphQLArgument,
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { expect, onTestFinished, test } from 'vitest';
import { mostKeys } from '../../src/model/limits.js';
import type { Resource } from '../../src/model/resource.js';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { createWebhook, webhookSettings } from '../features/webhooks/deliverer.js';
import { providers } from '../support/database.js';
import { startGateway } from '../support/gateway.js';
import { resources } from '../support/resources.js';
import { schema } from '../support/schema.js';

/** The arguments that take objects. */
const taken = ['Query', 'Mutation'].flatMap((root) => {
  const fields = Object.values(schema.getType(root)?.toConfig() ? rootFields(root) : {});
  return fields.flatMap(({ name, args }) =>
    args.filter(isOfObjects).map((argument) => ({ root, field: name, argument, args })),
  );
});

function rootFields(root: string) {
  return (root === 'Query' ? schema.getQueryType() : schema.getMutationType())?.getFields() ?? {};
}

function isOfObjects({ type }: GraphQLArgument): boolean {
  return isInputObjectType(itemOf(type));
}

function itemOf(type: GraphQLInputType): GraphQLInputType {
  const plain = getNullableType(type);
  return isListType(plain) ? itemOf(plain.ofType) : plain;
}

const samples: Record<string, unknown> = { Int: 1, Float: 1, Boolean: true, DateTime: '2026-01-31' };

const upper = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** A value with every field, down to a depth. */
function whole(type: GraphQLInputType, depth: number): unknown {
  const plain = getNullableType(type);
  if (isListType(plain)) return [whole(plain.ofType, depth)];
  if (isEnumType(plain)) return plain.getValues()[0]?.name;
  if (!isInputObjectType(plain)) return samples[plain.name] ?? 'x';
  const fields = Object.values(plain.getFields()).filter(
    ({ type: inner }) => depth > 0 || !isInputObjectType(itemOf(inner)),
  );
  return Object.fromEntries(fields.map(({ name, type: inner }) => [name, whole(inner, depth - 1)]));
}

/** Each field as a key, so many at a time as are taken; one that holds text with a part of a date, and one that can be measured. */
function groupSorts({ model, fields, timestamps }: Resource): unknown[] {
  const all = schema.getType(`${model}SortField`);
  const keys = (isEnumType(all) ? all.getValues() : []).map(({ name }) => ({ field: name }));
  const asKeys = Array.from({ length: Math.ceil(keys.length / mostKeys) }, (_, index) =>
    keys.slice(index * mostKeys, (index + 1) * mostKeys),
  );
  const text = fields.find(({ name, type }) => type === 'String' && !/^status$|Id$/.test(name))?.name ?? '';
  const placed = { direction: 'DESC', nulls: 'FIRST' };
  return [
    ...asKeys,
    [{ field: upper(text), by: 'YEAR', ...placed }],
    [{ field: timestamps ? 'CREATED_AT' : 'IDX', measure: 'MAX', ...placed }],
  ];
}

/** An object with every field as several with some: a filter has limits. */
function inParts(value: unknown): unknown[] {
  if (Array.isArray(value)) return [value];
  const entries = Object.entries(Object(value));
  const isFilter = entries.some(([name]) => name === 'and');
  if (!isFilter) return [value];
  return Array.from({ length: Math.ceil(entries.length / 20) }, (_, index) =>
    Object.fromEntries(entries.slice(index * 20, index * 20 + 20)),
  );
}

/** Whether it is an input of the record type. */
const isInputOf = (type: string, model: string, plural: string) =>
  type === `UpdateMany${plural}Item` ||
  new RegExp(`^(Create|Update|Save)?${model}(Filter|Having|AggregateSort|Sort|Input)$`).test(type);

/** Values that the inputs of keys and webhooks take, by the names of their fields. */
const ownSamples: Record<string, unknown> = {
  name: 'a test',
  url: 'http://127.0.0.1:1/',
  selection: '{ __typename }',
  // A key has either scopes or roles.
  scopes: [],
  roles: ['technician'],
  claims: '{"company":"ACME"}',
  expiresAt: '2100-01-31T00:00:00Z',
  enabled: true,
};

test.each(providers)(
  'on %s the fields of all other inputs are accepted, with each value of an enum',
  async (database) => {
    const gateway = await startGateway({ database, env: webhookSettings });
    onTestFinished(() => gateway.close());
    const { webhook } = await createWebhook(gateway, { url: 'http://127.0.0.1:1/' });
    const others = taken.filter(
      // Those of `explainAccess` are sent by its own tests.
      ({ root, argument: { type } }) =>
        root === 'Mutation' && !resources.some(({ model, plural }) => isInputOf(String(itemOf(type)), model, plural)),
    );
    expect(others.map(({ field }) => field)).toEqual(['createApiKey', 'createWebhook', 'updateWebhook']);
    for (const { field, argument, args } of others) {
      const type = itemOf(argument.type);
      const fields = isInputObjectType(type) ? Object.values(type.getFields()) : [];
      const given = fields.map(({ name, type: inner }) => {
        const item = itemOf(inner);
        return [name, isEnumType(item) ? item.getValues().map((each) => each.name) : ownSamples[name]];
      });
      const id = args.some(({ name }) => name === 'id') ? `id: "${webhook.id}", ` : '';
      const query = `mutation ($it: ${argument.type}) { it: ${field}(${id}${argument.name}: $it) { userErrors { path message } } }`;
      const { body } = await gateway.graphql(query, { it: Object.fromEntries(given) });
      expect(body, query).toEqual({ data: { it: { userErrors: [] } } });
      for (const [name, value] of given) expect(value, `${field}: ${name}`).toBeDefined();
    }
  },
);

onBothDatabases((gateway) => {
  test.each(resources.map((each) => [each.model, each] as const))(
    'the fields of inputs of %s are accepted',
    async (model, resource) => {
      const { plural } = resource;
      const own = taken.filter(({ argument }) => isInputOf(String(itemOf(argument.type)), model, plural));
      expect(own.length).toBeGreaterThan(0);
      for (const { root, field, argument, args } of own) {
        const type = String(itemOf(argument.type));
        const depth = /(Filter|Having)$/.test(type) ? 1 : 2;
        const values = type.endsWith('AggregateSort') ? groupSorts(resource) : inParts(whole(argument.type, depth));
        for (const value of values) {
          const others = args.filter(({ type, name }) => String(type).endsWith('!') && name !== argument.name);
          const given = others.flatMap(({ name }) => (/^(id|parentId)$/.test(name) ? [`${name}: "x"`] : []));
          if (field.startsWith('actOnMany'))
            given.push(argument.name === 'where' ? 'action: DELETE, validateOnly: true' : 'ids: ["x"], action: UPDATE');
          if (type.endsWith('AggregateSort') && argument.name === 'orderBy') given.push('groupBy: $it');
          const query = `${root.toLowerCase()} ($it: ${argument.type}) { it: ${field}(${[...given, `${argument.name}: $it`]}) { __typename } }`;
          const { body } = await gateway().graphql(query, { it: value });
          const problems = (body.errors ?? []).flatMap(
            ({ message, extensions }: { message: string; extensions: { code: string; errors?: { code: string }[] } }) =>
              extensions.errors?.filter(({ code }) => code !== 'resource_missing') ??
              (/^(NOT_FOUND|COST_TOO_HIGH)$/.test(extensions.code) ? [] : [message]),
          );
          expect(problems, query).toEqual([]);
        }
      }
    },
  );
});
