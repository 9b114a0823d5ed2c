/**
 * An operation has the same effect in every form: compiled or not, it has the same answer, errors and status, leaves the
 * same rows, and tells the journal and observers the same. Each write is sent for equal records, one for each form.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { sqlAnswerOf } from '../../src/graphql/answered-by-sql.js';
import type { Change } from '../../src/model/change.js';
import { type Resource, singletonId } from '../../src/model/resource.js';
import { callerOf, callerWith } from '../access/keys.js';
import { repairInput } from '../graphql/asset-repairs.js';
import { providers, shareOf } from '../support/database.js';
import { type Answer, startGateway, type TestGateway } from '../support/gateway.js';
import { resourceOf } from '../support/resources.js';
import { schema } from '../support/schema.js';
import { allCases, thorough } from '../support/thorough.js';
import { type Asked, forms } from './forms-of-operations.js';
import { journalFollower } from './new-entries.js';
import { stored, withoutIds } from './random-record.js';

const repair = resourceOf('AssetRepair');
const settings = resourceOf('CurrencyExchangeSettings');
const own = 'version status asset repairCost __typename';
const lines = 'consumedItems { id idx itemCode warehouse version }';

/** The target of an operation. */
interface Twin {
  id: string;
  version: number;
  updatedAt: string;
  lines: string[];
}

type Arguments = Record<string, [type: string, value: (twin: Twin) => unknown]>;

interface Write {
  field: string;
  of: string;
  shown: string;
  arguments: Arguments;
  /** The type of the target, of which there is one record, instead of repairs. */
  only?: Resource;
  /** The state of the target. */
  submitted?: boolean;
  /** The code of its refusal, if it is refused with valid arguments. */
  refused?: string;
}

const id: Arguments = { id: ['ID!', (twin) => twin.id] };
const ofLine: Arguments = { id: ['ID!', ({ lines: [, second] }) => second] };
const ofRecord = `id ${own} ${lines}`;
const ofOneLine = 'id idx itemCode version assetRepair { id version }';
const record = { of: 'AssetRepairPayload', shown: `record { ${ofRecord} }` };
const records = { of: 'AssetRepairListPayload', shown: `records { ${ofRecord} }` };
const line = { of: 'AssetRepairConsumedItemPayload', shown: `record { ${ofOneLine} }` };
const inOrder = { of: 'AssetRepairConsumedItemListPayload', shown: `records { ${ofOneLine} }` };
const deleted = { of: 'DeletePayload', shown: 'deletedId deleted' };
const ofSettings = { only: settings, of: 'CurrencyExchangeSettingsPayload' };
const shownOfSettings = 'record { id version url useHttp accessKey details { id idx key value version } }';
const input = (type: string, value: (twin: Twin) => unknown): Arguments => ({ input: [`${type}!`, value] });

/** Every kind of write. */
const writes: Record<string, Write> = {
  create: {
    field: 'createAssetRepair',
    ...record,
    arguments: input('CreateAssetRepairInput', () => repairInput({ consumedItems: 2 })),
  },
  update: {
    field: 'updateAssetRepair',
    ...record,
    arguments: { ...id, ...input('UpdateAssetRepairInput', () => ({ asset: 'mill', repairCost: 0.1 })) },
  },
  'an update that changes nothing': {
    field: 'updateAssetRepair',
    ...record,
    arguments: { ...id, ...input('UpdateAssetRepairInput', () => ({})) },
  },
  'an update that submits': {
    field: 'updateAssetRepair',
    ...record,
    arguments: { ...id, ...input('UpdateAssetRepairInput', () => ({ status: 'SUBMITTED' })) },
  },
  submit: { field: 'submitAssetRepair', ...record, arguments: id },
  'submit again': {
    field: 'submitAssetRepair',
    ...record,
    arguments: id,
    submitted: true,
    refused: 'INVALID_STATE',
  },
  cancel: { field: 'cancelAssetRepair', ...record, arguments: id, submitted: true },
  'cancel a draft': { field: 'cancelAssetRepair', ...record, arguments: id, refused: 'INVALID_STATE' },
  delete: { field: 'deleteAssetRepair', ...deleted, arguments: id },
  'create a line': {
    field: 'createAssetRepairConsumedItem',
    ...line,
    arguments: input('CreateAssetRepairConsumedItemInput', (twin) => ({
      assetRepairId: twin.id,
      itemCode: 'new',
      warehouse: 'main',
      idx: 2,
    })),
  },
  'update a line': {
    field: 'updateAssetRepairConsumedItem',
    ...line,
    arguments: { ...ofLine, ...input('UpdateAssetRepairConsumedItemInput', () => ({ itemCode: 'other', idx: 1 })) },
  },
  'delete a line': { field: 'deleteAssetRepairConsumedItem', ...deleted, arguments: ofLine },
  'delete a line and show its parent': {
    field: 'deleteAssetRepairConsumedItem',
    of: deleted.of,
    shown: `${deleted.shown} parent { id ... on AssetRepair { version } }`,
    arguments: ofLine,
  },
  reorder: {
    field: 'reorderAssetRepairConsumedItems',
    ...inOrder,
    arguments: { parentId: ['ID!', (twin) => twin.id], ids: ['[ID!]', (twin) => twin.lines.toReversed()] },
  },
  'reorder into the order there is': {
    field: 'reorderAssetRepairConsumedItems',
    ...inOrder,
    arguments: { parentId: ['ID!', (twin) => twin.id] },
  },
  'reorder with a line left out': {
    field: 'reorderAssetRepairConsumedItems',
    ...inOrder,
    arguments: { parentId: ['ID!', (twin) => twin.id], ids: ['[ID!]', (twin) => twin.lines.slice(1)] },
    refused: 'BAD_USER_INPUT',
  },
  save: {
    field: 'saveAssetRepair',
    of: record.of,
    shown: `${record.shown} changes { fields lines { list created } }`,
    arguments: {
      ...id,
      ...input('SaveAssetRepairInput', (twin) => ({
        asset: 'saw',
        consumedItems: [{ itemCode: 'new', warehouse: 'main' }, { id: twin.lines[0] }],
      })),
    },
  },
  'a dry run of a save': {
    field: 'saveAssetRepair',
    of: record.of,
    shown: 'record { id } changes { fields lines { list deleted } }',
    arguments: {
      ...id,
      ...input('SaveAssetRepairInput', () => ({ asset: 'saw', consumedItems: [] })),
      validateOnly: ['Boolean!', () => true],
    },
  },
  createMany: {
    field: 'createManyAssetRepairs',
    ...records,
    arguments: { inputs: ['[CreateAssetRepairInput!]!', () => [repairInput({ consumedItems: 1 }), repairInput()]] },
  },
  updateMany: {
    field: 'updateManyAssetRepairs',
    ...records,
    arguments: { updates: ['[UpdateManyAssetRepairsItem!]!', (twin) => [{ id: twin.id, input: { asset: 'mill' } }]] },
  },
  'updateMany that submits': {
    field: 'updateManyAssetRepairs',
    ...records,
    arguments: {
      updates: ['[UpdateManyAssetRepairsItem!]!', (twin) => [{ id: twin.id, input: { status: 'SUBMITTED' } }]],
    },
  },
  'updateMany of one at another version': {
    field: 'updateManyAssetRepairs',
    ...records,
    arguments: {
      updates: ['[UpdateManyAssetRepairsItem!]!', ({ id }) => [{ id, input: { asset: 'mill' }, expectedVersion: 77 }]],
    },
    refused: 'VERSION_CONFLICT',
  },
  'update the only record': {
    field: 'updateCurrencyExchangeSettings',
    ...ofSettings,
    shown: shownOfSettings,
    arguments: { ...id, ...input('UpdateCurrencyExchangeSettingsInput', () => ({ url: 'rates', useHttp: true })) },
  },
  'update the only record, without its id': {
    field: 'updateCurrencyExchangeSettings',
    ...ofSettings,
    shown: shownOfSettings,
    arguments: input('UpdateCurrencyExchangeSettingsInput', () => ({ accessKey: 'secret' })),
  },
  'update the only record with what it has': {
    field: 'updateCurrencyExchangeSettings',
    ...ofSettings,
    shown: shownOfSettings,
    arguments: { ...id, ...input('UpdateCurrencyExchangeSettingsInput', () => ({ url: null, useHttp: false })) },
  },
  'save the only record': {
    field: 'saveCurrencyExchangeSettings',
    ...ofSettings,
    shown: `${shownOfSettings} changes { fields lines { list created } }`,
    arguments: {
      ...id,
      ...input('SaveCurrencyExchangeSettingsInput', () => ({
        url: 'rates',
        details: [{ key: 'base', value: 'euro' }],
      })),
    },
  },
  deleteMany: {
    field: 'deleteManyAssetRepairs',
    of: 'DeleteManyPayload',
    shown: 'deletedIds',
    arguments: { ids: ['[ID!]!', (twin) => [twin.id]] },
  },
};

const asItShouldBe = 'as it should be';
const replaced = (
  { arguments: given }: Write,
  name: string,
  type: string,
  value: (twin: Twin) => unknown,
): Arguments | undefined => given.id && { ...given, [name]: [type, value] };

const ofAnotherType = (write: Write) => replaced(write, 'id', 'ID!', () => `timesheet_${'0'.repeat(26)}`);

/** The change of the arguments; undefined if it is impossible. */
const circumstances: Record<string, (write: Write) => Arguments | undefined> = {
  [asItShouldBe]: (write) => write.arguments,
  'of none': (write) => replaced(write, 'id', 'ID!', () => `asset-repair_${'0'.repeat(26)}`),
  ...(thorough ? { 'of another type': ofAnotherType } : {}),
  'at its version': (write) => replaced(write, 'expectedVersion', 'Int', ({ version }) => version),
  'at another version': (write) => replaced(write, 'expectedVersion', 'Int', ({ version }) => version + 7),
  'with text that cannot be stored': ({ arguments: given, field, only }) => {
    const text = { [field.endsWith('Item') ? 'itemCode' : only ? 'url' : 'asset']: 'a\u0000b' };
    if (!given.input) return undefined;
    const [type, value] = given.input;
    return { ...given, input: [type, (twin) => Object.assign({}, value(twin), text)] };
  },
};

const asked = Object.entries(writes).flatMap(([name, write]) =>
  Object.entries(circumstances).flatMap(([circumstance, change]): [string, string, Write][] => {
    const changed = change(write);
    return changed ? [[name, circumstance, { ...write, arguments: changed }]] : [];
  }),
);

/** Each valid write on both databases, and every second refused one on each. */
const askedOn = (provider: Provider) => {
  const isRight = ([, circumstance]: (typeof asked)[number]) => circumstance === asItShouldBe;
  return [
    ...asked.filter(isRight),
    ...shareOf(
      provider,
      asked.filter((one) => !isRight(one)),
    ),
  ];
};

const allForms = Object.keys(forms);
/**
 * For writes, and for reads by keys with few scopes: one form that is compiled, and three that are not or only in part.
 */
const formsOfWrites = allCases
  ? allForms
  : ['with variables', 'with a directive', 'with an alias more', 'with literals'];

const reads: Record<string, Asked | ((twin: Twin) => Asked)> = {
  'a list': {
    kind: 'query',
    field: 'assetRepairs',
    of: 'AssetRepairConnection',
    shown: `totalCount nodes { ${own} ${lines} }`,
    arguments: { first: { type: 'Int', value: 3 } },
  },
  'an empty page': {
    kind: 'query',
    field: 'assetRepairs',
    of: 'AssetRepairConnection',
    shown: 'nodes { asset } pageInfo { hasNextPage endCursor }',
    arguments: { offset: { type: 'Int', value: 100_000 } },
  },
  'a filter': {
    kind: 'query',
    field: 'assetRepairs',
    of: 'AssetRepairConnection',
    shown: `totalCount nodes { ${own} }`,
    arguments: {
      where: { type: 'AssetRepairFilter', value: { asset: { contains: 'at' } } },
      orderBy: { type: '[AssetRepairSort!]', value: [{ field: 'ASSET' }] },
    },
  },
  'a page that is too large': {
    kind: 'query',
    field: 'assetRepairs',
    of: 'AssetRepairConnection',
    shown: 'totalCount',
    arguments: { first: { type: 'Int', value: 1001 } },
  },
  'two ways to bound a page': {
    kind: 'query',
    field: 'assetRepairs',
    of: 'AssetRepairConnection',
    shown: 'totalCount',
    arguments: { offset: { type: 'Int', value: 1 }, last: { type: 'Int', value: 1 } },
  },
  'a cursor that is none': {
    kind: 'query',
    field: 'assetRepairs',
    of: 'AssetRepairConnection',
    shown: 'totalCount',
    arguments: { after: { type: 'String', value: 'x' } },
  },
  'no record': {
    kind: 'query',
    field: 'assetRepair',
    of: 'AssetRepair',
    shown: own,
    arguments: { id: { type: 'ID!', value: 'asset-repair_none' } },
  },
  'a node of no type': {
    kind: 'query',
    field: 'node',
    of: 'Node',
    shown: 'id',
    arguments: { id: { type: 'ID!', value: 'none' } },
  },
  nodes: {
    kind: 'query',
    field: 'nodes',
    of: 'Node',
    shown: 'id',
    arguments: { ids: { type: '[ID!]!', value: ['none', 'asset-repair_none'] } },
  },
  settings: {
    kind: 'query',
    field: 'subscriptionSettings',
    of: 'SubscriptionSettings',
    shown: 'version gracePeriod',
    arguments: {},
  },
  aggregates: {
    kind: 'query',
    field: 'assetRepairAggregate',
    of: 'AssetRepairAggregate',
    shown: 'count groups { count status { key } repairCost { sum max } } hasMoreGroups',
    arguments: {
      where: { type: 'AssetRepairFilter', value: { asset: { contains: 'at' } } },
      groupBy: { type: '[AssetRepairAggregateSort!]', value: [{ field: 'STATUS' }] },
    },
  },
  'a history': ({ id }) => ({
    kind: 'query',
    field: 'history',
    of: 'HistoryConnection',
    shown: 'nodes { version action changes { path before after } } pageInfo { hasNextPage }',
    arguments: { id: { type: 'ID!', value: id } },
  }),
  'a history in a record': ({ id }) => ({
    kind: 'query',
    field: 'assetRepair',
    of: 'AssetRepair',
    shown: `${own} history { nodes { version action } }`,
    arguments: { id: { type: 'ID!', value: id } },
  }),
  'a list that is searched': {
    kind: 'query',
    field: 'assetRepairs',
    of: 'AssetRepairConnection',
    shown: `totalCount nodes { ${own} ${lines} }`,
    arguments: { search: { type: 'String', value: 'lathe' }, first: { type: 'Int', value: 3 } },
  },
  'a search': {
    kind: 'query',
    field: 'search',
    of: 'SearchConnection',
    shown: 'totalCount nodes { __typename version } pageInfo { hasNextPage }',
    arguments: { query: { type: 'String!', value: 'lathe' }, first: { type: 'Int', value: 3 } },
  },
  'a record as it was': ({ id, updatedAt }) => ({
    kind: 'query',
    field: 'assetRepair',
    of: 'AssetRepair',
    shown: `${own} ${lines}`,
    arguments: { id: { type: 'ID!', value: id }, asOf: { type: 'DateTime', value: updatedAt } },
  }),
  'a record before it was': ({ id }) => ({
    kind: 'query',
    field: 'assetRepair',
    of: 'AssetRepair',
    shown: own,
    arguments: { id: { type: 'ID!', value: id }, asOf: { type: 'DateTime', value: '2020-01-01T00:00:00.000Z' } },
  }),
};

const refusedReads = new Set(['a page that is too large', 'two ways to bound a page', 'a cursor that is none']);

/** With observers and search, writes are made by other statements than without them. */
const gateways = providers.flatMap((database) => [false, true].map((observed) => [database, observed] as const));

describe.each(gateways)('on %s, observed and searched: %s', (database, observed) => {
  let gateway: TestGateway;
  /** Another one on the same database, in which the resolvers answer every form. */
  let resolving: TestGateway;
  let callers: Record<string, Sender>;
  let callersOfResolvers: Record<string, Sender>;
  /** The selection of each field. */
  const taken: { field: string; requestId: string | null }[] = [];
  /** What the observer was told, without who made the changes and when. */
  const told: object[] = [];
  beforeAll(async () => {
    // biome-ignore lint/correctness/useYield: an observer need not run statements
    function* observe(changes: readonly Change[]): Generator<never, void> {
      for (const { by, at, resource, ...change } of changes) told.push({ ...change, type: resource.model });
    }
    const env: Record<string, string> = observed ? { SEARCH: 'true' } : {};
    gateway = await startGateway({ database, env, ...(observed && { onChange: [observe] }) });
    resolving = await startGateway({ env: { ...env, DATABASE_URL: gateway.config.databaseUrl }, compiled: false });
    const reader = await callerWith(gateway, 'assets:read', 'accounts:read');
    const writer = await callerWith(gateway, 'assets:write', 'accounts:write');
    callers = { anybody: gateway, 'who may only read': reader, 'who may only write': writer };
    callersOfResolvers = {
      anybody: resolving,
      'who may only read': callerOf(resolving, reader.secret),
      'who may only write': callerOf(resolving, writer.secret),
    };
  });
  afterAll(() => Promise.all([gateway.close(), resolving.close()]));

  test.each(Object.entries(reads))('%s is read alike', async (name, read) => {
    const [twin] = await twins(1);
    const asked = typeof read === 'function' ? read(twin ?? expect.fail('no twin')) : read;
    for (const [who, sender] of Object.entries(callers)) {
      // The first is answered by the resolvers, and the others are compared with it.
      const used = ['with variables', ...(sender === gateway ? allForms : formsOfWrites)];
      await alike(used, async (form, index) => {
        const answer = await sent((index === 0 && callersOfResolvers[who]) || sender, form, asked);
        // A search is refused where the gateway is not set up for it.
        if (sender === gateway && observed)
          expect(codesOf(answer.body)).toEqual(refusedReads.has(name) ? ['BAD_USER_INPUT'] : []);
        return { ...answer, id: undefined };
      });
    }
  });

  const written = askedOn(database).filter(([, circumstance]) => !observed || circumstance === asItShouldBe);

  test.each(written)('%s, %s', async (_, circumstance, write) => {
    const senders = circumstance === asItShouldBe && !observed ? Object.values(callers) : [gateway];
    for (const sender of senders) {
      const made = write.only ? [] : await twins(formsOfWrites.length, write.submitted);
      const newEntries = await journalFollower(gateway);
      await alike(formsOfWrites, async (form, index) => {
        const twin = write.only ? await anew(write.only) : (made[index] ?? expect.fail('no twin'));
        told.length = 0;
        const given = Object.entries(write.arguments).map(([name, [type, value]]) => [
          name,
          { type, value: value(twin) },
        ]);
        const answer = await sent(sender, form, { ...write, kind: 'mutation', arguments: Object.fromEntries(given) });
        const entries = await newEntries();
        if (circumstance === asItShouldBe && sender === gateway) {
          expect(codesOf(answer.body), JSON.stringify(answer.body)).toEqual(write.refused ? [write.refused] : []);
        }
        expect(told.length > 0).toBe(observed && entries.length > 0);
        const type = write.only ?? repair;
        const rows = [await stored(gateway, type, twin.id), await stored(gateway, type, answer.id)];
        return { ...answer, id: undefined, rows: withoutIds(rows), entries, told: withoutIds(told) };
      });
    }
  });

  test('each kind of read and write that SQL answers was answered so in some forms, and by the resolvers in others', () => {
    const logged = new Map(
      [...gateway.logLines, ...resolving.logLines].flatMap((text) => {
        const { requestId, kind, way } = JSON.parse(text);
        return kind ? [[requestId, way]] : [];
      }),
    );
    const ways = new Map<string, Set<string>>();
    for (const { field, requestId } of taken) {
      ways.set(field, (ways.get(field) ?? new Set()).add(logged.get(requestId)));
    }
    const both = ['resolvers', 'sql'];
    const found = [...ways].map(([field, each]) => [field, both.filter((way) => each.has(way))]);
    const expected = [...ways.keys()].map((field) => [field, isAnsweredBySql(field) ? both : ['resolvers']]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
    const every = [...Object.values(reads), ...Object.values(writes)].map((each) =>
      typeof each === 'function' ? each({ id: '', version: 1, updatedAt: '', lines: [] }) : each,
    );
    expect(ways.size).toBe(new Set(every.map(({ field }) => field)).size);
  });

  /** Every form has the same outcome as the first. */
  async function alike(names: readonly string[], see: (form: string, index: number) => Promise<object>): Promise<void> {
    const [first, ...others] = names;
    const seen = await see(first ?? '', 0);
    for (const [index, form] of others.entries()) {
      expect({ form, ...(await see(form, index + 1)) }).toEqual({ form, ...seen });
    }
  }

  async function sent(sender: Sender, form: string, asked: Asked) {
    const { query, variables } = forms[form]?.(asked) ?? expect.fail(form);
    const answer = await sender.graphql(query, variables);
    taken.push({ field: asked.field, requestId: answer.headers.get('x-request-id') });
    const answered = answer.body.data?.record;
    const [first] = Array.isArray(answered) ? answered : [answered?.record ?? answered];
    const id: string = first?.id ?? 'none';
    const body = shown(answer);
    // An operation that does not fit the schema would be refused in all forms, and prove nothing.
    expect(codesOf(body), query).not.toContain('GRAPHQL_VALIDATION_FAILED');
    return { id, status: answer.status, type: answer.headers.get('content-type'), body };
  }

  /** The only record of its type, as it is before anybody has set anything. */
  async function anew(resource: Resource): Promise<Twin> {
    const { client } = gateway.database;
    const id = singletonId(resource);
    for (const { resource: of } of resource.lines) await client.$executeRawUnsafe(`DELETE FROM "${of.model}"`);
    const initial = resource.fields.map(({ name, default: value = null }) => `"${name}" = ${value}`);
    await client.$executeRawUnsafe(`UPDATE "${resource.model}" SET "version" = 1, ${initial}`);
    return { id, version: 1, updatedAt: '', lines: [] };
  }

  /** Equal repairs with two lines each. */
  async function twins(count: number, submitted = false): Promise<Twin[]> {
    const inputs = Array.from({ length: count }, () => repairInput({ consumedItems: 2 }));
    const create = `mutation ($inputs: [CreateAssetRepairInput!]!) {
      records: createManyAssetRepairs(inputs: $inputs) { records { id version updatedAt consumedItems { id } } }
    }`;
    const { body } = await gateway.graphql(create, { inputs });
    const made: Twin[] = body.data.records.records.map(
      (each: Omit<Twin, 'lines'> & { consumedItems: { id: string }[] }): Twin => ({
        ...each,
        lines: each.consumedItems.map((item) => item.id),
      }),
    );
    if (!submitted) return made;
    const submit = made.map((twin, index) => `r${index}: submitAssetRepair(id: "${twin.id}") { record { version } }`);
    await gateway.graphql(`mutation { ${submit.join(' ')} }`);
    return made.map((twin) => ({ ...twin, version: twin.version + 1 }));
  }
});

function isAnsweredBySql(name: string): boolean {
  const types = [schema.getQueryType(), schema.getMutationType()];
  const field = types.flatMap((type) => type?.getFields()[name] ?? [])[0];
  return field !== undefined && sqlAnswerOf(field) !== undefined;
}

type Sender = Pick<TestGateway, 'graphql'>;

interface Shown {
  record: unknown;
  told: { extensions: { code: string } }[];
}

const codesOf = ({ told }: Shown): string[] => told.map(({ extensions }) => extensions.code);

/**
 * Without ids, times and places in the operation. GraphQL refuses the request for a wrong variable and the field for a
 * wrong literal, so the answer has no data, or null for the field.
 */
function shown({ body: { data, errors = [] } }: Answer): Shown {
  const told = errors.map(({ message, extensions }: { message: string; extensions: object }) => ({
    message,
    extensions,
  }));
  const text = JSON.stringify(withoutIds({ record: data?.record ?? null, told }));
  return JSON.parse(text.replaceAll(/[a-z-]+_[0-9a-z]{26}/g, 'an id'));
}
