/**
 * An operation has the same effect in every form: compiled or not, it has the same answer, errors and status, and
 * leaves the same rows. Each write is sent for equal records, one for each form.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { callerWith } from '../access/keys.js';
import { repairInput } from '../graphql/asset-repairs.js';
import { providers, shareOf } from '../support/database.js';
import type { Answer } from '../support/gateway.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { resourceOf } from '../support/resources.js';
import { allCases, thorough } from '../support/thorough.js';
import { type Asked, forms } from './forms-of-operations.js';
import { journalFollower } from './new-entries.js';
import { stored, withoutIds } from './random-record.js';

const repair = resourceOf('AssetRepair');
const own = 'version status asset repairCost __typename';
const lines = 'consumedItems { id idx itemCode warehouse version }';

/** The target of an operation. */
interface Twin {
  id: string;
  version: number;
  lines: string[];
}

type Arguments = Record<string, [type: string, value: (twin: Twin) => unknown]>;

interface Write {
  field: string;
  of: string;
  shown: string;
  arguments: Arguments;
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
const records = { of: 'AssetRepair', shown: ofRecord };
const line = { of: 'AssetRepairConsumedItemPayload', shown: `record { ${ofOneLine} }` };
const inOrder = { of: 'AssetRepairConsumedItem', shown: ofOneLine };
const deleted = { of: 'DeletePayload', shown: 'deletedId deleted' };
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
  deleteMany: {
    field: 'deleteManyAssetRepairs',
    of: 'DeletedRecord',
    shown: 'deletedId deleted',
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
  'with text that cannot be stored': ({ arguments: given, field }) => {
    const text = { [field.endsWith('Item') ? 'itemCode' : 'asset']: 'a\u0000b' };
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

const reads: Record<string, Asked> = {
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
      orderBy: { type: '[AssetRepairOrder!]', value: [{ field: 'ASSET' }] },
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
    arguments: { first: { type: 'Int', value: 1 }, last: { type: 'Int', value: 1 } },
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
};

describe.each(providers)('on %s', (database) => {
  let gateway: TestGateway;
  let callers: Record<string, Pick<TestGateway, 'graphql'>>;
  /** The selection of each field. */
  const taken: { field: string; requestId: string | null }[] = [];
  beforeAll(async () => {
    gateway = await startGateway({ database });
    callers = {
      anybody: gateway,
      'who may only read': await callerWith(gateway, 'assets:read', 'accounts:read'),
      'who may only write': await callerWith(gateway, 'assets:write'),
    };
  });
  afterAll(() => gateway.close());

  test.each(Object.entries(reads))('%s is read alike', async (_, asked) => {
    await twins(1);
    for (const sender of Object.values(callers))
      await alike(sender === gateway ? allForms : formsOfWrites, async (form) => ({
        ...(await sent(sender, form, asked)),
        id: undefined,
      }));
  });

  test.each(askedOn(database))('%s, %s', async (_, circumstance, write) => {
    const senders = circumstance === asItShouldBe ? Object.values(callers) : [gateway];
    for (const sender of senders) {
      const made = await twins(formsOfWrites.length, write.submitted);
      const newEntries = await journalFollower(gateway);
      await alike(formsOfWrites, async (form, index) => {
        const twin = made[index] ?? expect.fail('no twin');
        const given = Object.entries(write.arguments).map(([name, [type, value]]) => [
          name,
          { type, value: value(twin) },
        ]);
        const answer = await sent(sender, form, { ...write, kind: 'mutation', arguments: Object.fromEntries(given) });
        const entries = await newEntries();
        if (circumstance === asItShouldBe && sender === gateway) {
          expect(codesOf(answer.body), JSON.stringify(answer.body)).toEqual(write.refused ? [write.refused] : []);
        }
        const rows = [await stored(gateway, repair, twin.id), await stored(gateway, repair, answer.id)];
        return { ...answer, id: undefined, rows: withoutIds(rows), entries };
      });
    }
  });

  test('each read of records and each kind of write was answered by SQL in some forms, and by the resolvers in others', () => {
    const logged = new Map(
      gateway.logLines.flatMap((text) => {
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
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries([...ways.keys()].map((field) => [field, both])));
    expect(ways.size).toBe(new Set([...Object.values(reads), ...Object.values(writes)].map(({ field }) => field)).size);
  });

  /** Every form has the same outcome as the first. */
  async function alike(names: readonly string[], see: (form: string, index: number) => Promise<object>): Promise<void> {
    const [first, ...others] = names;
    const seen = await see(first ?? '', 0);
    for (const [index, form] of others.entries()) {
      expect({ form, ...(await see(form, index + 1)) }).toEqual({ form, ...seen });
    }
  }

  async function sent(sender: Pick<TestGateway, 'graphql'>, form: string, asked: Asked) {
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

  /** Equal repairs with two lines each. */
  async function twins(count: number, submitted = false): Promise<Twin[]> {
    const inputs = Array.from({ length: count }, () => repairInput({ consumedItems: 2 }));
    const create = `mutation ($inputs: [CreateAssetRepairInput!]!) {
      records: createManyAssetRepairs(inputs: $inputs) { id version consumedItems { id } }
    }`;
    const { body } = await gateway.graphql(create, { inputs });
    const made: Twin[] = body.data.records.map(
      (each: { id: string; version: number; consumedItems: { id: string }[] }): Twin => ({
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
