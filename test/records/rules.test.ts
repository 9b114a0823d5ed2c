/**
 * The rules of a record type are applied in every kind of write, also to lines, and a refused change is not written.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Rules } from '../../src/model/change.js';
import type { Problem } from '../../src/model/errors/problem.js';
import { createRepair, repairInput } from '../graphql/asset-repairs.js';
import { databaseInTurn } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

const refusal = (field: string): Problem[] => [
  { path: [field], code: 'parameter_invalid', message: 'is against the rule' },
];

/** A rule refuses every write of the name `locked`, and every change of a record with this name. */
const rulesOf = (field: string, form: 'values' | 'record'): Rules => {
  const rule =
    form === 'values'
      ? {
          ofValues: ({ values }: { values: Record<string, unknown> }) =>
            values[field] === 'locked' ? refusal(field) : [],
        }
      : {
          ofRecord: ({
            before,
            after,
          }: {
            before?: Record<string, unknown> | undefined;
            after?: Record<string, unknown> | undefined;
          }) => ([before?.[field], after?.[field]].includes('locked') ? refusal(field) : []),
        };
  return { beforeCreate: rule, beforeUpdate: rule, beforeSubmit: rule, beforeCancel: rule, beforeDelete: rule };
};

const forms = ['values', 'record'] as const;
const cases = databaseInTurn(import.meta.filename).flatMap((database) =>
  forms.flatMap((form) => [true, false].map((compiled) => [database, form, compiled] as const)),
);

describe.each(cases)('on %s, rules of %s, compiled: %s', (database, form, compiled) => {
  let gateway: TestGateway;
  let unruled: TestGateway;
  beforeAll(async () => {
    unruled = await startGateway({ database });
    gateway = await startGateway({
      env: { DATABASE_URL: unruled.config.databaseUrl },
      compiled,
      rules: { AssetRepair: rulesOf('asset', form), AssetRepairConsumedItem: rulesOf('warehouse', form) },
    });
  });
  afterAll(() => Promise.all([gateway.close(), unruled.close()]));

  const stored = async (id: string) =>
    (
      await unruled.graphql(
        'query ($id: ID!) { assetRepair(id: $id) { version asset status consumedItems { id version idx warehouse } } }',
        { id },
      )
    ).body.data;
  /** The place of the only reported problem. */
  const refused = async (types: string, call: string, variables: object) => {
    const { body } = await gateway.graphql(`mutation (${types}) { ${call} }`, { ...variables });
    expect(body.errors?.[0].extensions, JSON.stringify(body)).toMatchObject({ code: 'BAD_USER_INPUT' });
    return body.errors[0].extensions.errors.map(({ param }: { param: string }) => param);
  };
  const locked = { failureDate: '2026-01-31', asset: 'locked' };
  const withLocked = {
    ...repairInput(),
    consumedItems: [
      { itemCode: 'a', warehouse: 'main' },
      { itemCode: 'b', warehouse: 'locked' },
    ],
  };

  test('creates', async () => {
    const one = ['$input: CreateAssetRepairInput!', 'createAssetRepair(input: $input) { record { id } }'] as const;
    const many = [
      '$inputs: [CreateAssetRepairInput!]!',
      'createManyAssetRepairs(inputs: $inputs) { records { id } }',
    ] as const;
    const before = (await gateway.graphql('{ assetRepairs { totalCount } }')).body.data;
    expect(await refused(...one, { input: locked })).toEqual(['input.asset']);
    expect(await refused(...one, { input: withLocked })).toEqual(['input.consumedItems[1].warehouse']);
    expect(await refused(...many, { inputs: [repairInput(), locked] })).toEqual(['inputs[1].asset']);
    expect(await refused(...many, { inputs: [repairInput(), withLocked] })).toEqual([
      'inputs[1].consumedItems[1].warehouse',
    ]);
    const { status, body } = await gateway.rest('POST', '/api/assets/asset-repair', {
      failure_date: 'd',
      asset: 'locked',
    });
    expect([status, body.error.param]).toEqual([400, 'asset']);
    expect((await gateway.graphql('{ assetRepairs { totalCount } }')).body.data).toEqual(before);
  });

  test('updates, of one, of many, of lines, and saves', async () => {
    const { id, items } = await createRepair(unruled, repairInput({ consumedItems: 2 }));
    const before = await stored(id);
    expect(
      await refused(
        '$id: ID!, $input: UpdateAssetRepairInput!',
        'updateAssetRepair(id: $id, input: $input) { record { id } }',
        {
          id,
          input: { asset: 'locked' },
        },
      ),
    ).toEqual(['input.asset']);
    expect(
      await refused(
        '$updates: [UpdateManyAssetRepairsItem!]!',
        'updateManyAssetRepairs(updates: $updates) { records { id } }',
        {
          updates: [{ id, input: { asset: 'locked' } }],
        },
      ),
    ).toEqual(['updates[0].input.asset']);
    expect(
      await refused(
        '$item: ID!',
        'updateAssetRepairConsumedItem(id: $item, input: { warehouse: "locked" }) { record { id } }',
        {
          item: items[0],
        },
      ),
    ).toEqual(['input.warehouse']);
    expect(
      await refused(
        '$id: ID!',
        'createAssetRepairConsumedItem(input: { assetRepairId: $id, itemCode: "c", warehouse: "locked" }) { record { id } }',
        { id },
      ),
    ).toEqual(['input.warehouse']);
    for (const validateOnly of [true, false]) {
      const call = 'saveAssetRepair(id: $id, input: $input, validateOnly: $validateOnly) { changes { fields } }';
      const input = {
        asset: 'locked',
        consumedItems: [
          { itemCode: 'c', warehouse: 'locked' },
          { id: items[1], warehouse: 'locked' },
          { id: items[0] },
        ],
      };
      const types = '$id: ID!, $input: SaveAssetRepairInput!, $validateOnly: Boolean!';
      expect((await refused(types, call, { id, input, validateOnly })).sort()).toEqual([
        'input.asset',
        'input.consumedItems[0].warehouse',
        'input.consumedItems[1].warehouse',
      ]);
    }
    const { status } = await gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { asset: 'locked' });
    expect(status).toBe(400);
    expect(await stored(id)).toEqual(before);
  });

  if (form === 'values') return;
  test('moves and deletes, also of lines that go with their parent', async () => {
    const one = await createRepair(unruled, repairInput({ asset: 'locked' }));
    const { body } = await unruled.graphql(
      'mutation ($input: CreateAssetRepairInput!) { record: createAssetRepair(input: $input) { record { id consumedItems { id } } } }',
      { input: withLocked },
    );
    const parent = body.data.record.record.id;
    const line = body.data.record.record.consumedItems[1].id;
    const before = [await stored(one.id), await stored(parent)];
    const id = '$id: ID!';
    expect(await refused(id, 'submitAssetRepair(id: $id) { record { id } }', one)).toEqual(['asset']);
    expect(
      await refused(id, 'updateAssetRepair(id: $id, input: { status: SUBMITTED }) { record { id } }', one),
    ).toEqual(['input.asset', 'input.asset']);
    expect(await refused(id, 'deleteAssetRepair(id: $id) { deletedId }', one)).toEqual(['asset']);
    expect(await refused(id, 'deleteManyAssetRepairs(ids: [$id]) { deletedIds }', one)).toEqual(['asset']);
    expect(await refused(id, 'deleteAssetRepair(id: $id) { deletedId }', { id: parent })).toEqual(['warehouse']);
    expect(await refused(id, 'deleteManyAssetRepairs(ids: [$id]) { deletedIds }', { id: parent })).toEqual([
      'warehouse',
    ]);
    expect(await refused(id, 'deleteAssetRepairConsumedItem(id: $id) { deletedId }', { id: line })).toEqual([
      'warehouse',
    ]);
    expect(
      await refused(id, 'saveAssetRepair(id: $id, input: { consumedItems: [] }) { record { id } }', { id: parent }),
    ).toEqual(['warehouse']);
    expect(
      await refused(
        '$id: ID!, $ids: [ID!]',
        'reorderAssetRepairConsumedItems(parentId: $id, ids: $ids) { records { id } }',
        {
          id: parent,
          ids: [line, body.data.record.record.consumedItems[0].id],
        },
      ),
    ).toEqual(['warehouse']);
    expect((await gateway.rest('POST', `/api/assets/asset-repair/${one.id}/submit`)).status).toBe(400);
    expect((await gateway.rest('DELETE', `/api/assets/asset-repair/${one.id}`)).status).toBe(400);
    const preview = await gateway.graphql(
      'query ($id: ID!) { previewAction(id: $id, action: DELETE) { allowed reason } }',
      one,
    );
    expect(preview.body.data.previewAction).toEqual({ allowed: false, reason: '`asset` is against the rule.' });
    expect([await stored(one.id), await stored(parent)]).toEqual(before);
  });
});
