/**
 * `userErrors`: if selected, they contain the problems that the caller can correct, with the same answers by SQL and by
 * the resolvers.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longestId, mostLines } from '../../src/model/limits.js';
import { callerWith } from '../access/keys.js';
import { waysToExecute } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { createRepair, repairInput } from './asset-repairs.js';

const told = 'userErrors { code path message currentState allowedActions currentVersion }';
const nothing = { currentState: null, allowedActions: null, currentVersion: null };
const update = 'mutation ($id: ID!, $input: UpdateAssetRepairInput!, $version: Int)';
const updating = 'updateAssetRepair(id: $id, input: $input, expectedVersion: $version)';
const save = 'mutation ($id: ID!, $input: SaveAssetRepairInput!, $try: Boolean! = false)';
const saving = 'saveAssetRepair(id: $id, input: $input, validateOnly: $try)';

describe.each(waysToExecute(import.meta.filename))('on $database, compiled: $compiled', ({ database, compiled }) => {
  let gateway: TestGateway;
  let isBroken = false;
  beforeAll(async () => {
    gateway = await startGateway({
      database,
      compiled,
      env: { LOCK_SUBMITTED: 'true' },
      rules: {
        AssetRepair: {
          beforeUpdate: {
            ofRecord: ({ after }) =>
              after?.asset === 'against'
                ? [{ path: ['asset'], code: 'parameter_invalid', message: 'is against the rule' }]
                : [],
          },
        },
      },
      onChange: [
        // biome-ignore lint/correctness/useYield: an observer need not run statements
        function* () {
          if (isBroken) throw new Error('broken');
        },
      ],
    });
  });
  afterAll(() => gateway.close());

  /** The data of an answer without errors, after only reads and refusals. */
  const refused = async (query: string, variables: Record<string, unknown>, headers: Record<string, string> = {}) => {
    const before = await gateway.database.client.journalEntry.count();
    const { body } = await gateway.graphql(query, variables, headers);
    expect(body.errors).toBeUndefined();
    expect(await gateway.database.client.journalEntry.count()).toBe(before);
    return body.data;
  };
  const loggedErrors = () =>
    gateway.logLines
      .map((line) => JSON.parse(line))
      .filter(({ kind }) => kind)
      .at(-1).errors;

  test('a version that is not the present one', async () => {
    const { id } = await createRepair(gateway);
    const { it } = await refused(`${update} { it: ${updating} { record { id } changes { fields } ${told} } }`, {
      id,
      input: { asset: 'mill' },
      version: 7,
    });
    expect(it).toEqual({
      record: null,
      changes: null,
      userErrors: [
        {
          ...nothing,
          code: 'VERSION_CONFLICT',
          path: ['expectedVersion'],
          message: expect.stringContaining('is at version 1'),
          currentVersion: 1,
        },
      ],
    });
    expect(loggedErrors()).toEqual(['VERSION_CONFLICT']);
  });

  test.each([
    ['update', `updateAssetRepair(id: "x", input: { asset: "mill" }) { record { id } ${told} }`],
    ['submit', `submitAssetRepair(id: "x") { record { id } ${told} }`],
    ['cancel', `cancelAssetRepair(id: "x") { record { id } ${told} }`],
    ['save', `saveAssetRepair(id: "x", input: { asset: "mill" }) { record { id } ${told} }`],
    ['update of a line', `updateAssetRepairConsumedItem(id: "x", input: { itemCode: "a" }) { record { id } ${told} }`],
    ['delete', `deleteAssetRepair(id: "x") { deletedId deleted ${told} }`],
    ['delete of a line', `deleteAssetRepairConsumedItem(id: "x") { deletedId deleted parent { id } ${told} }`],
  ])('a record that is not there: %s', async (_, call) => {
    const { it } = await refused(`mutation { it: ${call} }`, {});
    const { userErrors, ...others } = it;
    expect(userErrors).toEqual([
      { ...nothing, code: 'RESOURCE_MISSING', path: ['id'], message: expect.stringContaining('"x"') },
    ]);
    const isDelete = 'deleted' in others;
    expect(others).toEqual(
      isDelete
        ? { deletedId: null, deleted: false, ...('parent' in others ? { parent: null } : {}) }
        : { record: null },
    );
  });

  test('a parent that is not there, of a new line', async () => {
    const call = `createAssetRepairConsumedItem(input: { assetRepairId: "x", itemCode: "a", warehouse: "b" })`;
    const { it } = await refused(`mutation { it: ${call} { record { id } ${told} } }`, {});
    expect(it.userErrors).toMatchObject([{ code: 'RESOURCE_MISSING', path: ['input', 'assetRepairId'] }]);
  });

  test('a state that does not allow it, and submitted documents that are locked', async () => {
    const { id } = await createRepair(gateway);
    const wrong = await refused(`mutation ($id: ID!) { it: cancelAssetRepair(id: $id) { record { id } ${told} } }`, {
      id,
    });
    const state = { ...nothing, code: 'INVALID_STATE', path: [], message: expect.any(String) };
    expect(wrong.it.userErrors).toEqual([{ ...state, currentState: 'DRAFT', allowedActions: ['SUBMIT'] }]);
    await gateway.graphql('mutation ($id: ID!) { submitAssetRepair(id: $id) { record { id } } }', { id });
    const locked = await refused(`${update} { it: ${updating} { record { id } ${told} } }`, {
      id,
      input: { asset: 'mill' },
    });
    expect(locked.it.userErrors).toEqual([{ ...state, currentState: 'SUBMITTED', allowedActions: ['CANCEL'] }]);
  });

  test('all that is wrong with a save, at its place, in a trial too', async () => {
    const { id, items } = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    const input = {
      consumedItems: [{ id: items[0] }, { itemCode: 'a' }, { id: 'asset-repair-consumed-item_x', warehouse: 'b' }],
    };
    for (const isTrial of [false, true]) {
      const { it } = await refused(`${save} { it: ${saving} { record { id } changes { fields } ${told} } }`, {
        id,
        input,
        try: isTrial,
      });
      expect(it).toMatchObject({ record: null, changes: null });
      const places = it.userErrors.map(({ code, path }: { code: string; path: string[] }) => [code, path.join()]);
      expect(places).toEqual([
        ['PARAMETER_MISSING', 'input,consumedItems,1,warehouse'],
        ['RESOURCE_MISSING', 'input,consumedItems,2,id'],
      ]);
    }
  });

  test('of many records and of an order, each at its place, and none is stored', async () => {
    const { id } = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    const [good, { asset: _, ...lacking }] = [repairInput(), repairInput()];
    const creates = 'mutation ($of: [CreateAssetRepairInput!]!) { it: createManyAssetRepairs(inputs: $of)';
    const updates = 'mutation ($of: [UpdateManyAssetRepairsItem!]!) { it: updateManyAssetRepairs(updates: $of)';
    const deletes = 'mutation ($of: [ID!]!) { it: deleteManyAssetRepairs(ids: $of)';
    const orders = 'mutation ($of: ID!) { it: reorderAssetRepairConsumedItems(parentId: $of, ids: [])';
    const outdated = [
      { id, input: { asset: 'mill' } },
      { id: 'x', input: {} },
      { id, input: { asset: 'saw' }, expectedVersion: 7 },
    ];
    for (const [call, of, shown, places] of [
      [creates, [good, lacking], 'records { id }', ['PARAMETER_MISSING inputs,1,asset']],
      [updates, outdated.slice(0, 2), 'records { id }', ['RESOURCE_MISSING updates,1,id']],
      [updates, outdated.slice(2), 'records { id }', ['VERSION_CONFLICT updates,0,expectedVersion']],
      [deletes, [id, 'x'], 'deletedIds', ['RESOURCE_MISSING ids,1']],
      [orders, 'x', 'records { id }', ['RESOURCE_MISSING parentId']],
      [orders, id, 'records { id }', ['REORDER_MISMATCH ids']],
    ] as const) {
      const { it } = await refused(`${call} { ${shown} ${told} } }`, { of });
      expect(it).toMatchObject({ [shown.split(' ')[0] ?? '']: null });
      const found = it.userErrors.map(({ code, path }: { code: string; path: string[] }) => `${code} ${path}`);
      expect(found).toEqual(places);
      const { body } = await gateway.graphql(`${call} { ${shown} } }`, { of });
      expect(body.errors).toHaveLength(1);
    }
    const { it } = await refused(`${orders.replace('ids: []', '')} { records { id } ${told} } }`, { of: id });
    expect(it).toEqual({ records: [{ id: expect.any(String) }], userErrors: [] });
  });

  test('of keys and webhooks', async () => {
    for (const [call, shown, code, path] of [
      ['createApiKey(input: { name: "", scopes: ["*"] })', 'apiKey { id } secret', 'PARAMETER_INVALID', 'input,name'],
      ['rotateApiKey(id: "brg_000000000000")', 'apiKey { id } secret', 'RESOURCE_MISSING', 'id'],
      ['revokeApiKey(id: "brg_000000000000")', 'apiKey { id } secret', 'RESOURCE_MISSING', 'id'],
      ['deleteWebhook(id: "wh_x")', 'webhook { id } secret publicKey', 'RESOURCE_MISSING', 'id'],
    ]) {
      const { it } = await refused(`mutation { it: ${call} { ${shown} ${told} } }`, {});
      const { userErrors, ...others } = it;
      expect(userErrors).toMatchObject([{ code, path: path?.split(',') }]);
      expect(Object.values(others).every((value) => value === null)).toBe(true);
    }
  });

  test('what a rule refuses', async () => {
    const { id } = await createRepair(gateway);
    const { it } = await refused(`${update} { it: ${updating} { record { id } ${told} } }`, {
      id,
      input: { asset: 'against' },
    });
    expect(it.userErrors).toEqual([
      {
        ...nothing,
        code: 'PARAMETER_INVALID',
        path: ['input', 'asset'],
        message: '`input.asset` is against the rule.',
      },
    ]);
  });

  describe('what the gateway finds in the arguments itself', () => {
    const tooLong = 'x'.repeat(longestId + 1);
    const line = 'createAssetRepairConsumedItem(input: $given) { record { id } userErrors { code path } }';
    const given = { itemCode: 'a', warehouse: 'b', assetRepairId: tooLong };
    const wrong = { code: 'PARAMETER_INVALID', path: ['input', 'assetRepairId'] };

    test('in a variable, whatever it is called, and then none of the fields is executed', async () => {
      const query = `mutation ($given: CreateAssetRepairConsumedItemInput!, $more: CreateAssetRepairConsumedItemInput!) {
        good: createIndustryType(input: { industry: "never" }) { record { id } userErrors { code path message } }
        bad: ${line}
        also: ${line.replace('$given', '$more')} }`;
      const { good, bad, also } = await refused(query, { given, more: { ...given, itemCode: undefined } });
      expect(bad).toEqual({ record: null, userErrors: [wrong] });
      const lacking = { code: 'PARAMETER_MISSING', path: ['input', 'itemCode'] };
      expect(also.userErrors).toEqual(expect.arrayContaining([lacking, wrong]));
      expect(also.userErrors).toHaveLength(2);
      const message = expect.stringMatching(
        /^`\$given\.assetRepairId` must .*; another field of the operation uses it/,
      );
      expect(good).toEqual({ record: null, userErrors: [{ ...wrong, path: [], message }] });
    });

    test('in a part of an argument, and in a literal', async () => {
      const part = `mutation ($id: ID!) { it: createAssetRepairConsumedItem(input: { itemCode: "a", warehouse: "b", assetRepairId: $id }) { userErrors { code path } } }`;
      expect((await refused(part, { id: tooLong })).it.userErrors).toEqual([wrong]);
      const literal = part.replace('($id: ID!)', '').replace('$id', JSON.stringify(tooLong));
      expect((await refused(literal, {})).it.userErrors).toEqual([wrong]);
    });

    test('null, where it clears nothing', async () => {
      const { id } = await createRepair(gateway);
      const { it } = await refused(`${update} { it: ${updating} { userErrors { code path } } }`, {
        id,
        input: { asset: null },
      });
      expect(it.userErrors).toEqual([{ code: 'PARAMETER_INVALID', path: ['input', 'asset'] }]);
    });

    test('what is missing inside of a variable, and what is wrong beside it', async () => {
      const { warehouse, assetRepairId } = given;
      const head = 'mutation ($given: CreateAssetRepairConsumedItemInput!) {';
      const { it } = await refused(`${head} it: ${line} }`, { given: { warehouse, assetRepairId } });
      const lacking = { code: 'PARAMETER_MISSING', path: ['input', 'itemCode'] };
      expect(it).toEqual({
        record: null,
        userErrors: [lacking, wrong].sort((one, other) => ((one.path[1] ?? '') > (other.path[1] ?? '') ? 1 : -1)),
      });
    });

    test.each([
      ['what GraphQL itself refuses', { ...given, itemCode: 7 }],
      ['a name that is unknown', { ...given, nope: 1 }],
    ])('not %s, which is an error of the request', async (_, input) => {
      const { body } = await gateway.graphql(`mutation ($given: CreateAssetRepairConsumedItemInput!) { ${line} }`, {
        given: input,
      });
      expect(body.data).toBeUndefined();
      expect(body.errors).toHaveLength(1);
      expect(body.errors[0].extensions.errors).toHaveLength(2);
    });

    test('not for lists that are too long, and not if one of the fields does not select them', async () => {
      const lines = Array.from({ length: mostLines + 1 }, () => ({}));
      const long = await gateway.graphql(`${save} { ${saving} { userErrors { code } } }`, {
        id: 'x',
        input: { consumedItems: lines },
      });
      const mixed = await gateway.graphql(
        `mutation ($given: CreateAssetRepairConsumedItemInput!) { ${line} createIndustryType(input: { industry: "no" }) { record { id } } }`,
        { given },
      );
      for (const { body } of [long, mixed]) {
        expect(body.data).toBeUndefined();
        expect(body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
      }
    });
  });

  describe('how it is selected', () => {
    const missing = { id: 'x', input: { asset: 'mill' } };
    const isTold = async (selection: string, variables: object = {}, fragments = '', types = '') => {
      const head = update.replace(')', `${types})`);
      const { body } = await gateway.graphql(`${head} { it: ${updating} { ${selection} } } ${fragments}`, {
        ...missing,
        ...variables,
      });
      if (body.errors) {
        expect(body.data).toEqual({ it: null });
        expect(body.errors[0].extensions.code).toBe('NOT_FOUND');
      }
      return !body.errors;
    };
    const flag = ', $flag: Boolean!';

    test('not without it, not if a directive skips it, not by a name that only looks like it', async () => {
      expect(await isTold('record { id }')).toBe(false);
      expect(await isTold('record { id } userErrors @skip(if: true) { code }')).toBe(false);
      expect(
        await isTold('record { id } ... @include(if: $flag) { userErrors { code } }', { flag: false }, '', flag),
      ).toBe(false);
      expect(await isTold('userErrors: record { id }')).toBe(false);
    });

    test('by an alias, a fragment, and a directive that lets it in', async () => {
      expect(await isTold('record { id } wrong: userErrors { code }')).toBe(true);
      expect(await isTold('...F', {}, 'fragment F on AssetRepairPayload { ... { userErrors { code } } }')).toBe(true);
      expect(await isTold('userErrors @include(if: $flag) { code }', { flag: true }, '', flag)).toBe(true);
      expect(await isTold('userErrors { code } again: userErrors { message }')).toBe(true);
    });
  });

  test('is empty where it was done', async () => {
    const { body } = await gateway.graphql(
      'mutation { createIndustryType(input: { industry: "Steel" }) { record { industry } changes { fields } userErrors { code } } }',
    );
    expect(body).toEqual({
      data: { createIndustryType: { record: { industry: 'Steel' }, changes: null, userErrors: [] } },
    });
  });

  test('of several fields each stands by itself', async () => {
    const query = `mutation {
      first: createIndustryType(input: { industry: "first" }) { record { industry } userErrors { code } }
      told: updateIndustryType(id: "x", input: { industry: "y" }) { record { id } userErrors { code } }
      thrown: updateIndustryType(id: "x", input: { industry: "y" }) { record { id } }
      last: createIndustryType(input: { industry: "last" }) { record { industry } }
    }`;
    const { body } = await gateway.graphql(query);
    expect(body.data).toEqual({
      first: { record: { industry: 'first' }, userErrors: [] },
      told: { record: null, userErrors: [{ code: 'RESOURCE_MISSING' }] },
      thrown: null,
      last: { record: { industry: 'last' } },
    });
    expect(body.errors).toMatchObject([{ path: ['thrown'], extensions: { code: 'NOT_FOUND' } }]);
  });

  test('what the caller cannot correct is always in `errors`: a missing scope, a fault of the gateway', async () => {
    const { id } = await createRepair(gateway);
    const query = `${update} { it: ${updating} { record { id } userErrors { code } } }`;
    const reader = await callerWith(gateway, 'assets:read');
    const forbidden = await reader.graphql(query, { id, input: { asset: 'mill' } });
    expect(forbidden.body).toMatchObject({ data: { it: null }, errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    isBroken = true;
    const broken = await gateway.graphql(query, { id, input: { asset: 'mill' } });
    isBroken = false;
    expect(broken.body).toMatchObject({
      data: { it: null },
      errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
    });
    const read = await gateway.graphql('query ($id: ID!) { assetRepair(id: $id) { version } }', { id });
    expect(read.body.data.assetRepair.version).toBe(1);
  });

  test('a key that may write but not read gets them too', async () => {
    const writer = await callerWith(gateway, 'assets:write');
    const { id } = await createRepair(gateway);
    const query = `${update} { it: ${updating} { record { id version } userErrors { code path } } }`;
    const { body } = await writer.graphql(query, { id, input: { asset: 'mill' }, version: 9 });
    expect(body).toEqual({
      data: { it: { record: null, userErrors: [{ code: 'VERSION_CONFLICT', path: ['expectedVersion'] }] } },
    });
    const changes = await writer.graphql(`${save} { it: ${saving} { changes { fields } userErrors { code } } }`, {
      id,
      input: { asset: 'mill' },
    });
    expect(changes.body.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });

  test('with an Idempotency-Key the answer is kept and sent again, as any other', async () => {
    const { id } = await createRepair(gateway);
    const headers = { 'idempotency-key': randomUUID() };
    const query = `${update} { it: ${updating} { record { version } userErrors { code currentVersion } } }`;
    const variables = { id, input: { asset: 'mill' }, version: 2 };
    const first = await gateway.graphql(query, variables, headers);
    expect(first.body.data.it.userErrors).toEqual([{ code: 'VERSION_CONFLICT', currentVersion: 1 }]);
    await gateway.graphql(
      'mutation ($id: ID!) { updateAssetRepair(id: $id, input: { asset: "saw" }) { record { id } } }',
      {
        id,
      },
    );
    const second = await gateway.graphql(query, variables, headers);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    const other = await gateway.graphql(query, { ...variables, version: 3 }, headers);
    expect(other.body.errors[0].extensions.code).toBe('IDEMPOTENCY_CONFLICT');
  });
});
