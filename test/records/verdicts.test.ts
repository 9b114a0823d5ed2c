/**
 * The verdict of a rule depends only on the change, not on observers: rules of values are applied first, to all given
 * values; rules of records last, to the change.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Rule, Rules } from '../../src/model/change.js';
import type { Problem } from '../../src/model/errors/problem.js';
import { createRepair, repairInput } from '../graphql/asset-repairs.js';
import { providers, shareOf } from '../support/database.js';
import { type Answer, startGateway, type TestGateway } from '../support/gateway.js';

type Form = 'values' | 'record';

const problem: Problem[] = [{ path: ['asset'], code: 'parameter_invalid', message: 'is against the rule' }];
const rule: Record<Form, Rule> = {
  values: { ofValues: ({ values }) => (values.asset === 'locked' ? problem : []) },
  record: { ofRecord: ({ after }) => (after?.asset === 'locked' ? problem : []) },
};
const rulesOf = (form: Form): Rules => ({
  beforeUpdate: rule[form],
  beforeSubmit: rule[form],
  beforeCancel: rule[form],
});

interface Asked {
  id: string;
  input: Record<string, unknown>;
  version: number | null;
}

const mutation =
  (types: string, call: string, variables: (asked: Asked) => object) => (gateway: TestGateway, asked: Asked) =>
    gateway.graphql(`mutation (${types}) { ${call} }`, { ...variables(asked) });
const save = (validateOnly: boolean) =>
  mutation(
    '$id: ID!, $input: SaveAssetRepairInput!, $version: Int',
    `saveAssetRepair(id: $id, input: $input, expectedVersion: $version, validateOnly: ${validateOnly}) { changes { fields } }`,
    (asked) => asked,
  );

const ways: Record<string, (gateway: TestGateway, asked: Asked) => Promise<Answer>> = {
  update: mutation(
    '$id: ID!, $input: UpdateAssetRepairInput!, $version: Int',
    'updateAssetRepair(id: $id, input: $input, expectedVersion: $version) { record { asset } }',
    (asked) => asked,
  ),
  updateMany: mutation(
    '$updates: [UpdateManyAssetRepairsItem!]!',
    'updateManyAssetRepairs(updates: $updates) { records { asset } }',
    ({ id, input, version }) => ({ updates: [{ id, input, expectedVersion: version }] }),
  ),
  save: save(false),
  'save, validateOnly': save(true),
  'REST PATCH': (gateway, { id, input: { asset, status }, version }) =>
    gateway.rest(
      'PATCH',
      `/api/assets/asset-repair/${id}`,
      { asset, ...(typeof status === 'string' ? { status: status.toLowerCase() } : {}) },
      version === null ? {} : { 'if-match': `"${version}"` },
    ),
};

/** The writes of a new record, and their expected outcome, by the form of the rule. */
const circumstances: Record<string, { asset: string; asked: (id: string) => Asked; answer: Record<Form, string> }> = {
  'a missing record': {
    asset: 'lathe',
    asked: () => ({ id: `asset-repair_${'0'.repeat(26)}`, input: { asset: 'locked' }, version: null }),
    answer: { values: 'refused by rule', record: 'resource_missing' },
  },
  'a stale version': {
    asset: 'lathe',
    asked: (id) => ({ id, input: { asset: 'locked' }, version: 77 }),
    answer: { values: 'refused by rule', record: 'version_conflict' },
  },
  'a wrong state': {
    asset: 'lathe',
    asked: (id) => ({ id, input: { asset: 'locked', status: 'CANCELLED' }, version: null }),
    answer: { values: 'refused by rule', record: 'invalid_state' },
  },
  'no difference': {
    asset: 'locked',
    asked: (id) => ({ id, input: { asset: 'locked' }, version: 1 }),
    answer: { values: 'refused by rule', record: 'fine' },
  },
  'a change against the rule': {
    asset: 'lathe',
    asked: (id) => ({ id, input: { asset: 'locked' }, version: 1 }),
    answer: { values: 'refused by rule', record: 'refused by rule' },
  },
  'a change of a record as the rule would not have it': {
    asset: 'locked',
    asked: (id) => ({ id, input: { status: 'SUBMITTED' }, version: 1 }),
    answer: { values: 'fine', record: 'refused by rule' },
  },
  'a change that is fine': {
    asset: 'locked',
    asked: (id) => ({ id, input: { asset: 'mill' }, version: 1 }),
    answer: { values: 'fine', record: 'fine' },
  },
};

const verdictOf = ({ status, body }: Answer): string => {
  const { extensions = undefined } = body.errors?.[0] ?? {};
  const text = JSON.stringify(body.errors ?? body.error ?? null);
  if (text.includes('is against the rule')) return 'refused by rule';
  if (extensions) return extensions.reason ?? extensions.code;
  return status < 400 ? 'fine' : body.error.code;
};

describe.each(providers)('on %s', (database) => {
  let unruled: TestGateway;
  const gateways = new Map<string, TestGateway>();
  beforeAll(async () => {
    unruled = await startGateway({ database });
    for (const form of ['values', 'record'] as const) {
      for (const isObserved of [false, true]) {
        const started = await startGateway({
          env: { DATABASE_URL: unruled.config.databaseUrl },
          rules: { AssetRepair: rulesOf(form) },
          onChange: isObserved ? [function* () {}] : [],
        });
        gateways.set(`${form} ${isObserved}`, started);
      }
    }
  });
  afterAll(() => Promise.all([...gateways.values(), unruled].map((each) => each.close())));

  const forms = ['values', 'record'] as const;
  const cases = forms.flatMap((form) => [true, false].map((isObserved) => [form, isObserved] as const));
  const gatewayOf = (form: Form, isObserved: boolean) => gateways.get(`${form} ${isObserved}`) ?? expect.fail('none');

  test.each(cases)('a rule of %s, observed: %s', async (form, isObserved) => {
    const gateway = gatewayOf(form, isObserved);
    const seen: Record<string, string> = {};
    const expected: Record<string, string> = {};
    for (const [circumstance, { asset, asked, answer }] of Object.entries(circumstances)) {
      // The order of the verdicts does not depend on the database, which only provides the record for the rule.
      for (const [way, send] of shareOf(database, Object.entries(ways))) {
        const { id } = await createRepair(unruled, repairInput({ asset }));
        seen[`${way}: ${circumstance}`] = verdictOf(await send(gateway, asked(id)));
        expected[`${way}: ${circumstance}`] = answer[form];
      }
    }
    expect(seen).toEqual(expected);
  });

  test.each(cases)('a rule of %s, observed: %s, in a preview', async (form, isObserved) => {
    const gateway = gatewayOf(form, isObserved);
    const { id } = await createRepair(unruled, repairInput({ asset: 'locked' }));
    const reasonOf = async (action: string) => {
      const query = `query ($id: ID!) { previewAction(id: $id, action: ${action}) { reason } }`;
      return (await gateway.graphql(query, { id })).body.data.previewAction.reason;
    };
    expect(await reasonOf('SUBMIT')).toEqual(form === 'values' ? null : '`asset` is against the rule.');
    expect(await reasonOf('CANCEL')).toMatch(/draft/);
  });
});

test.each(providers)('on %s a save asks nothing about a new line that is incomplete', async (database) => {
  const asked: unknown[] = [];
  const note = ({ after, values = after }: { after?: object | undefined; values?: object | undefined }) => {
    asked.push(values);
    return [];
  };
  const gateway = await startGateway({
    database,
    rules: { AssetRepairConsumedItem: { beforeCreate: { ofValues: note, ofRecord: note } } },
  });
  const { id } = await createRepair(gateway);
  const { body } = await gateway.graphql(
    'mutation ($id: ID!, $input: SaveAssetRepairInput!) { saveAssetRepair(id: $id, input: $input) { changes { fields } } }',
    { id, input: { consumedItems: [{ itemCode: 'a' }, { itemCode: 'b', warehouse: 'main' }] } },
  );
  await gateway.close();
  expect(body.errors[0].extensions.errors).toMatchObject([{ param: 'input.consumedItems[0].warehouse' }]);
  expect(asked).toMatchObject([{ itemCode: 'b' }, { itemCode: 'b' }]);
});

test.each(providers.flatMap((database) => [true, false].map((compiled) => [database, compiled] as const)))(
  'on %s, compiled: %s, a new line is checked first, then its parent, then by rules of records, by each once',
  async (database, compiled) => {
    const asked: unknown[] = [];
    const checked: unknown[] = [];
    const gateway = await startGateway({
      database,
      compiled,
      rules: {
        AssetRepairConsumedItem: {
          beforeCreate: {
            ofValues: ({ values }) => {
              checked.push(values.itemCode);
              return values.itemCode === 'wrong' ? problem : [];
            },
            ofRecord: ({ after }) => {
              asked.push(after?.itemCode);
              return problem;
            },
          },
        },
      },
    });
    const { id } = await createRepair(gateway);
    const byGraphql = async (assetRepairId: string, itemCode: string) => {
      const { body } = await gateway.graphql(
        'mutation ($input: CreateAssetRepairConsumedItemInput!) { createAssetRepairConsumedItem(input: $input) { record { id } } }',
        { input: { assetRepairId, itemCode, warehouse: 'main' } },
      );
      return body.errors[0].extensions.errors.map(({ code }: { code: string }) => code);
    };
    const byRest = async (asset_repair_id: string, item_code: string) => {
      const line = { asset_repair_id, item_code, warehouse: 'main' };
      const { body } = await gateway.rest('POST', '/api/assets/asset-repair-consumed-item', line);
      return body.error.errors.map(({ code }: { code: string }) => code);
    };
    for (const create of [byGraphql, byRest]) {
      expect(await create('asset-repair_none', 'wrong')).toEqual(['parameter_invalid']);
      expect(await create('asset-repair_none', 'right')).toEqual(['resource_missing']);
      expect(await create(id, 'wrong')).toEqual(['parameter_invalid']);
      expect(asked).toEqual([]);
      expect(await create(id, 'right')).toEqual(['parameter_invalid']);
      expect(asked.splice(0)).toEqual(['right']);
      expect(checked.splice(0)).toEqual(['wrong', 'right', 'wrong', 'right']);
    }
    await gateway.close();
  },
);
