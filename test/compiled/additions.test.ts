/**
 * Additions to a schema need not know that SQL answers most of it. The resolvers answer each addition, as it says, and
 * SQL answers the same operation without it.
 */
import {
  DirectiveLocation,
  GraphQLBoolean,
  GraphQLDirective,
  type GraphQLField,
  GraphQLNonNull,
  GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RequestContext } from '../../src/change/context.js';
import type { Observation } from '../../src/change/observation.js';
import { Seal } from '../../src/common/seal.js';
import { createExecution, type OperationResult } from '../../src/gateway/execution/executor.js';
import { plugins } from '../../src/gateway/execution/resolvers.js';
import { answeredBySql, withAccess } from '../../src/graphql/answered-by-sql.js';
import type { Builder } from '../../src/graphql/builder.js';
import { createSchema, type SchemaParts } from '../../src/graphql/create-schema.js';
import { constrained } from '../../src/graphql/inputs/filters.js';
import { createAdmission } from '../../src/graphql/operation/admission.js';
import { providers, shareOf } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { resourceOf, resources } from '../support/resources.js';
import { serving } from '../support/schema.js';
import './hiding-plugin.js';
import { seenByAll } from '../support/seen-by-all.js';

const industry = resourceOf('IndustryType');
/** Only the needed resources, because a schema of all takes half a second to make. */
const few = resources.filter(({ model }) => /^(IndustryType|AssetRepair\w*|Timesheet\w*)$/.test(model));

interface Addition {
  query: string;
  variables?: Record<string, unknown>;
  /** The options with which the schema is made. */
  parts?: Partial<SchemaParts>;
  /** A change of the schema after it is made. */
  change?(schema: GraphQLSchema): void;
  /** A function that makes another schema from it. */
  remake?(schema: GraphQLSchema): GraphQLSchema;
  /** Plugins of the execution. */
  plugins?: Plugin<RequestContext>[];
  /** The operation that SQL answers, if it is another one. */
  plain?: { query: string; parts?: Partial<SchemaParts> };
  /** A part of the answer that shows the addition. */
  tells: string;
}

const ofIndustry = 'query ($id: ID!) { record: industryType(id: $id) { industry } }';
const withLines = '{ assetRepairs(first: 5) { nodes { consumedItems { itemCode } } } }';
const withInput = 'mutation ($id: ID!, $input: UpdateIndustryTypeInput!)';

/** A handwritten field of Query, with a statement of what SQL answers. */
const ownField = (isPlain: boolean) => (builder: Builder) =>
  builder.queryField('ownIndustry', (t) =>
    t.prismaField({
      type: 'IndustryType',
      nullable: true,
      ...withAccess(
        { resource: industry, operation: 'retrieve' },
        answeredBySql({ kind: 'record', resource: industry }, ['id']),
      ),
      args: { id: t.arg.id({ required: true }), ...(isPlain ? {} : { archived: t.arg.boolean() }) },
      // By default it shows no archived record, and this one is archived.
      resolve: (query, _, given, { database }) =>
        isPlain || ('archived' in given && given.archived)
          ? database.client.industryType.findUnique({ ...query, where: { id: given.id } })
          : null,
    }),
  );

const ownColumn = (isPlain: boolean) => (builder: Builder) =>
  builder.prismaObjectField('IndustryType', 'ownName', (t) =>
    t.field({
      type: 'String',
      select: { industry: true },
      extensions: answeredBySql({ kind: 'column', column: 'industry', type: 'String', nullable: false }),
      args: isPlain ? {} : { prefix: t.arg.string() },
      resolve: (row, given) => (isPlain ? '' : `${'prefix' in given ? given.prefix : 'none'}: `) + row.industry,
    }),
  );

const fieldOf = (schema: GraphQLSchema, type: string, name: string): GraphQLField<unknown, RequestContext> => {
  const found = schema.getType(type);
  return (isObjectType(found) && found.getFields()[name]) || expect.fail(`${type}.${name} is not there`);
};

/** The same schema with one more directive. */
function withDirective(schema: GraphQLSchema): GraphQLSchema {
  const { FIELD, FRAGMENT_DEFINITION, VARIABLE_DEFINITION } = DirectiveLocation;
  const traced = new GraphQLDirective({ name: 'traced', locations: [FIELD, FRAGMENT_DEFINITION, VARIABLE_DEFINITION] });
  return new GraphQLSchema({ ...schema.toConfig(), directives: [...schema.getDirectives(), traced] });
}

const additions: Record<string, Addition> = {
  'a resolver put in the place of a column': {
    query: ofIndustry,
    change: (schema) => {
      fieldOf(schema, 'IndustryType', 'industry').resolve = () => 'from a resolver';
    },
    tells: 'from a resolver',
  },
  'a required column that is hidden: the others are answered': {
    query: 'query ($id: ID!) { record: industryType(id: $id) { version industry } }',
    change: (schema) => {
      fieldOf(schema, 'IndustryType', 'industry').resolve = () => null;
    },
    tells: '"version":1,"industry":null',
  },
  'a column that is masked by its resolver': {
    query: '{ industryTypes(first: 5) { nodes { industry } totalCount } }',
    change: (schema) => {
      const field = fieldOf(schema, 'IndustryType', 'industry');
      const { resolve } = field;
      field.resolve = (row, args, context, info) =>
        context.identity.scopes.includes('admin') ? resolve?.(row, args, context, info) : 'masked';
    },
    tells: 'masked',
  },
  'another load in the place of that of lines': {
    query: withLines,
    change: (schema) => {
      const field = fieldOf(schema, 'AssetRepair', 'consumedItems');
      const pothosPrismaSelect = () => ({
        select: { consumedItems: { where: { itemCode: 'grease' }, select: { id: true, itemCode: true } } },
      });
      field.extensions = { ...field.extensions, pothosPrismaSelect };
    },
    tells: '"consumedItems":[]',
  },
  'a plugin of Pothos that loads other lines': {
    query: withLines,
    parts: { plugins: ['hidesOil'] },
    tells: '"consumedItems":[]',
  },
  'a plugin of Pothos that wraps a resolver': {
    query: ofIndustry,
    parts: { plugins: ['hidesIndustry'] },
    tells: 'hidden',
  },
  'a field written by hand': {
    query: 'query ($id: ID!) { record: industryType(id: $id) { industry shout } }',
    parts: {
      features: [
        {
          schema: (builder) =>
            builder.prismaObjectField('IndustryType', 'shout', (t) =>
              t.string({ select: { industry: true }, resolve: (row) => row.industry.toUpperCase() }),
            ),
        },
      ],
    },
    plain: { query: ofIndustry },
    tells: 'STEEL',
  },
  'a wrapped resolver of a query': {
    query: '{ assetRepairs { totalCount } }',
    change: (schema) => {
      const field = fieldOf(schema, 'Query', 'assetRepairs');
      const { resolve } = field;
      field.resolve = async (...given) => Object.assign(Object(await resolve?.(...given)), { total: () => 4711 });
    },
    tells: '4711',
  },
  'a wrapped resolver of a page': {
    query: '{ industryTypes { pageInfo { hasNextPage } } }',
    change: (schema) => {
      fieldOf(schema, 'PageInfo', 'hasNextPage').resolve = () => true;
    },
    tells: 'true',
  },
  'a wrapped resolver of lines': {
    query: '{ assetRepairs { nodes { consumedItems { id } } } }',
    change: (schema) => {
      fieldOf(schema, 'AssetRepair', 'consumedItems').resolve = () => [];
    },
    tells: '"consumedItems":[]',
  },
  'an argument of a query, given': {
    query: 'query ($id: ID!) { record: ownIndustry(id: $id, archived: true) { industry } }',
    parts: { features: [{ schema: ownField(false) }] },
    plain: {
      query: 'query ($id: ID!) { record: ownIndustry(id: $id) { industry } }',
      parts: { features: [{ schema: ownField(true) }] },
    },
    tells: 'Steel',
  },
  'an argument of a query, left out': {
    query: 'query ($id: ID!) { record: ownIndustry(id: $id) { industry } }',
    parts: { features: [{ schema: ownField(false) }] },
    plain: {
      query: 'query ($id: ID!) { record: ownIndustry(id: $id) { industry } }',
      parts: { features: [{ schema: ownField(true) }] },
    },
    tells: '"record":null',
  },
  'an argument of a column, left out': {
    query: 'query ($id: ID!) { record: industryType(id: $id) { ownName } }',
    parts: { features: [{ schema: ownColumn(false) }] },
    plain: {
      query: 'query ($id: ID!) { record: industryType(id: $id) { ownName } }',
      parts: { features: [{ schema: ownColumn(true) }] },
    },
    tells: 'none: Steel',
  },
  'a default for an argument of a list': {
    query: '{ industryTypes { nodes { industry } } }',
    change: (schema) => {
      const first = fieldOf(schema, 'Query', 'industryTypes').args.find(({ name }) => name === 'first');
      if (first) first.defaultValue = 1;
    },
    tells: '"nodes":[{"industry":"Glass"}]',
  },
  'a bound of an argument of a list': {
    query: '{ industryTypes(first: 3) { nodes { industry } } }',
    change: (schema) => {
      const first = fieldOf(schema, 'Query', 'industryTypes').args.find(({ name }) => name === 'first');
      if (first) Object.assign(first, constrained({ minimum: 1, maximum: 2 }));
    },
    tells: 'BAD_USER_INPUT',
  },
  'an argument of a list': {
    query: '{ industryTypes(first: 3) { nodes { industry } } }',
    change: (schema) => {
      const field = fieldOf(schema, 'Query', 'industryTypes');
      const [like] = field.args;
      if (like) field.args = [...field.args, { ...like, name: 'archived', type: GraphQLBoolean, extensions: {} }];
    },
    tells: 'Glass',
  },
  'a directive of a field': {
    query: '{ industryTypes(first: 1) { nodes { industry @traced } } }',
    remake: withDirective,
    plain: { query: '{ industryTypes(first: 1) { nodes { industry } } }' },
    tells: 'Glass',
  },
  'a directive of a fragment': {
    query:
      '{ industryTypes(first: 1) { ...Page } } fragment Page on IndustryTypeConnection @traced { nodes { industry } }',
    remake: withDirective,
    plain: { query: '{ industryTypes(first: 1) { nodes { industry } } }' },
    tells: 'Glass',
  },
  'a directive of a variable': {
    query: 'query ($id: ID! @traced) { record: industryType(id: $id) { industry } }',
    remake: withDirective,
    plain: { query: ofIndustry },
    tells: 'Steel',
  },
  'an execute-time plugin': {
    query: ofIndustry,
    plugins: [
      {
        onExecute: ({ setResultAndStopExecution }) =>
          setResultAndStopExecution({ data: { record: 'from the plugin' } }),
      },
    ],
    tells: 'from the plugin',
  },
  'a plugin that extends the context': {
    query: ofIndustry,
    plugins: [{ onContextBuilding: ({ extendContext }) => extendContext({ requestId: 'another' }) }],
    tells: 'Steel',
  },
  'another way to write a scalar': {
    query: 'query ($id: ID!) { record: industryType(id: $id) { createdAt } }',
    change: (schema) => {
      const type = schema.getType('DateTime');
      if (isScalarType(type)) type.serialize = () => 'some time ago';
    },
    tells: 'some time ago',
  },
  'a column that may not be null, of which one is': {
    query: '{ assetRepairs { nodes { description } } }',
    change: (schema) => {
      const field = fieldOf(schema, 'AssetRepair', 'description');
      if (isScalarType(field.type)) field.type = new GraphQLNonNull(field.type);
    },
    tells: 'INTERNAL',
  },
  'a check of the type': {
    query: ofIndustry,
    change: (schema) => {
      const type = schema.getType('IndustryType');
      if (isObjectType(type)) type.isTypeOf = () => false;
    },
    tells: '"errors"',
  },
  'another resolver of the type of a node': {
    query: 'query ($id: ID!) { record: node(id: $id) { id } }',
    change: (schema) => {
      const type = schema.getType('Node');
      if (isInterfaceType(type)) type.resolveType = () => 'Timesheet';
    },
    tells: '"errors"',
  },
  'another type of a field': {
    query: 'query ($id: ID!) { record: industryType(id: $id) { __typename } }',
    change: (schema) => {
      const type = schema.getType('Timesheet');
      if (isObjectType(type)) fieldOf(schema, 'Query', 'industryType').type = type;
    },
    tells: 'Timesheet',
  },
};

const identity = { keyId: 'key', name: 'key', scopes: ['*'], seal: new Seal('key') };
const nothing = () => undefined;
const plainSchema = createSchema({ resources: few, features: serving });

describe.each(providers)('on %s', (provider) => {
  let gateway: TestGateway;
  let id: string;
  beforeAll(async () => {
    gateway = await startGateway({ database: provider });
    const create =
      'mutation ($input: CreateIndustryTypeInput!) { record: createIndustryType(input: $input) { record { id } } }';
    const created = [];
    for (const name of ['Steel', 'Wood', 'Glass'])
      created.push(await gateway.graphql(create, { input: { industry: name } }));
    id = created[0]?.body.data.record.record.id;
    const input = {
      failureDate: '2026-01-31',
      asset: 'lathe',
      consumedItems: [{ itemCode: 'oil', warehouse: 'main' }],
    };
    await gateway.graphql(
      'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }',
      {
        input,
      },
    );
  });
  afterAll(() => gateway.close());

  test.each(shareOf(provider, Object.entries(additions)))(
    '%s',
    async (_, { query, parts, plain, change, remake, plugins: added = [], tells, variables }) => {
      const before = await perform(plain?.parts ? made(plain.parts) : plainSchema, plain?.query ?? query, variables);
      expect(before.way).toBe('sql');
      const own = parts || change || remake ? made(parts) : plainSchema;
      change?.(own);
      const schema = remake?.(own) ?? own;
      const answered = await perform(schema, query, variables, added);
      expect(answered).toMatchObject({ way: 'resolvers', answer: expect.stringContaining(tells) });
      const reference = await perform(schema, query, variables, added, false);
      expect(answered.answer).toBe(reference.answer);
    },
  );

  test('an argument of a mutation', async () => {
    const query = `${withInput} { record: updateIndustryType(id: $id, input: $input, validateOnly: true) { record { industry } } }`;
    const stored = () => gateway.database.client.industryType.findUnique({ where: { id } });
    const before = await stored();
    const schema = made();
    const field = fieldOf(schema, 'Mutation', 'updateIndustryType');
    const [like] = field.args;
    if (like) field.args = [...field.args, { ...like, name: 'validateOnly', type: GraphQLBoolean, extensions: {} }];
    // The resolver is unchanged: the argument alone is enough.
    expect(await perform(schema, query, { input: {} })).toMatchObject({ way: 'resolvers' });
    field.resolve = () => null;
    const written = await stored();
    expect((await perform(schema, query, { input: { industry: 'Paper' } })).answer).toContain('null');
    expect(await stored()).toEqual(written);
    const plain = `${withInput} { record: updateIndustryType(id: $id, input: $input) { record { industry } } }`;
    expect((await perform(plainSchema, plain, { input: { industry: 'Paper' } })).way).toBe('sql');
    expect({ ...(await stored()), updatedAt: undefined }).toEqual({
      ...before,
      industry: 'Paper',
      version: (written?.version ?? 0) + 1,
      updatedAt: undefined,
      updatedBy: 'key:key',
    });
    await perform(plainSchema, plain, { input: { industry: 'Steel' } });
  });

  test('a default of an input, which SQL writes as the resolvers do', async () => {
    const schema = made();
    const type = schema.getType('CreateAssetRepairInput');
    const status = isInputObjectType(type) ? type.getFields().repairStatus : undefined;
    if (status) status.defaultValue = 'Completed';
    const query = `mutation ($input: CreateAssetRepairInput!) { record: createAssetRepair(input: $input) { record { repairStatus } } }`;
    const input = { failureDate: '2026-01-31', asset: 'lathe' };
    for (const compiled of [true, false]) {
      const { answer } = await perform(schema, query, { input }, [], compiled);
      expect(answer).toBe('{"data":{"record":{"record":{"repairStatus":"Completed"}}}}');
    }
  });

  test('a wrapped resolver of a mutation that deletes', async () => {
    const query = 'mutation ($id: ID!) { record: deleteIndustryType(id: $id) { deletedId } }';
    const schema = made();
    fieldOf(schema, 'Mutation', 'deleteIndustryType').resolve = () => null;
    expect(await perform(schema, query)).toEqual({ way: 'resolvers', answer: '{"data":{"record":null}}' });
    expect(await gateway.database.client.industryType.findUnique({ where: { id } })).not.toBeNull();
    expect(await perform(plainSchema, query)).toEqual({
      way: 'sql',
      answer: `{"data":{"record":{"deletedId":"${id}"}}}`,
    });
  });

  async function perform(
    schema: GraphQLSchema,
    query: string,
    variables: Record<string, unknown> = {},
    added: Plugin<RequestContext>[] = [],
    compiled = true,
  ) {
    const { database } = gateway;
    const used = /\$id\b/.test(query) ? { id, ...variables } : variables;
    const operation = createAdmission(schema, { costLimit: 100_000 }).fromRequest({ query, variables: used }, true);
    const observation: Observation = {};
    const log = { info: nothing, warn: nothing, error: nothing };
    const { execute } = createExecution({
      schema,
      plugins: [...plugins, ...added],
      provider,
      compiled,
      answerLimit: 32 * 1024 * 1024,
    });
    const changes = { rules: {}, observers: [], locksSubmitted: false, writers: [], journal: false };
    const outcome = await execute(operation, {
      database: seenByAll(database),
      changes,
      identity,
      requestId: 'r',
      log,
      observation,
    });
    return { way: observation.way, answer: textOf(outcome) };
  }
});

/** Additions to one schema do not change others. */
const made = ({ features = [], ...parts }: Partial<SchemaParts> = {}): GraphQLSchema =>
  createSchema({ resources: few, ...parts, features: [...serving, ...features] });

function textOf(outcome: OperationResult): string {
  if ('result' in outcome) return JSON.stringify(outcome.result);
  if ('data' in outcome) return outcome.data.toString();
  const fields = outcome.fields.map((field) => `"${field.key}":${'text' in field ? field.text : 'null'}`);
  return `{"data":{${fields.join()}}}`;
}
