/** `version` counts the writes of a record; `expectedVersion` prevents overwriting a change of somebody else. */
import { describe, expect, test } from 'vitest';
import { onDatabaseInTurn } from '../contract/on-both-databases.js';
import { ask, refusal } from './ask.js';
import { createRepair, repairInput, upTo } from './asset-repairs.js';

const types = { $id: 'ID!', $item: 'ID!', $items: '[ID!]', $version: 'Int' };

/** The mutation that makes one call, under the alias `done`; it declares the variables the call names. */
function mutation(call: string): string {
  const declared = Object.entries(types).filter(([name]) => new RegExp(`\\${name}\\b`).test(call));
  const declarations = declared.map(([name, type]) => `${name}: ${type}`).join(', ');
  return `mutation ${declarations ? `(${declarations})` : ''} { done: ${call} }`;
}

/** Each kind of write that takes a version: of a record, and of a line. */
const writes: [string, string][] = [
  ['update', 'updateAssetRepair(id: $id, expectedVersion: $version, input: { asset: "mill" }) { record { id } }'],
  ['submit', 'submitAssetRepair(id: $id, expectedVersion: $version) { record { id } }'],
  ['delete', 'deleteAssetRepair(id: $id, expectedVersion: $version) { deletedId }'],
  [
    'update of a line',
    'updateAssetRepairConsumedItem(id: $item, expectedVersion: $version, input: { itemCode: "x" }) { record { id } }',
  ],
  ['delete of a line', 'deleteAssetRepairConsumedItem(id: $item, expectedVersion: $version) { deletedId }'],
];

onDatabaseInTurn(import.meta.filename, (gateway) => {
  describe('a write of the record raises its version by one', () => {
    test.each([
      ['update', 'updateAssetRepair(id: $id, input: { asset: "mill" }) { record { version } }'],
      ['submit', 'submitAssetRepair(id: $id) { record { version } }'],
    ])('%s', async (_, call) => {
      const { id } = await createRepair(gateway());
      expect(await versionOf(id)).toBe(1);
      expect((await write(call, { id })).record.version).toBe(2);
      expect(await versionOf(id)).toBe(2);
    });
  });

  describe('a write of a line raises the version of its parent by one', () => {
    test.each([
      [
        'create',
        'createAssetRepairConsumedItem(input: { assetRepairId: $id, itemCode: "x", warehouse: "y" }) { record { version } }',
        1,
      ],
      ['update', 'updateAssetRepairConsumedItem(id: $item, input: { itemCode: "x" }) { record { version } }', 2],
      ['move', 'updateAssetRepairConsumedItem(id: $item, input: { idx: 3 }) { record { version } }', 2],
      ['delete', 'deleteAssetRepairConsumedItem(id: $item) { deletedId }', undefined],
    ])('%s', async (_, call, ownVersion) => {
      const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 3 }));
      const before = await updatedAtOf(id);
      expect((await write(call, { id, item: items[0] })).record?.version).toBe(ownVersion);
      expect(await versionOf(id)).toBe(2);
      expect((await updatedAtOf(id)) > before).toBe(true);
    });

    test('reorder, which raises that of the lines it moves', async () => {
      const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 3 }));
      const [one, two, three] = items;
      const call = 'reorderAssetRepairConsumedItems(parentId: $id, ids: $items) { records { id version } }';
      expect((await write(call, { id, items: [two, one, three] })).records).toEqual([
        { id: two, version: 2 },
        { id: one, version: 2 },
        { id: three, version: 1 },
      ]);
      expect(await versionOf(id)).toBe(2);
    });

    test('and that of the lines it shifts, but not of the others', async () => {
      const { items } = await createRepair(gateway(), repairInput({ consumedItems: 3 }));
      await write('deleteAssetRepairConsumedItem(id: $item) { deletedId }', { item: items[1] });
      const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on AssetRepairConsumedItem { idx version } } }';
      expect((await ask(gateway(), query, { ids: items })).nodes).toEqual([
        { idx: 1, version: 1 },
        null,
        { idx: 2, version: 2 },
      ]);
    });
  });

  describe('expectedVersion', () => {
    test.each(writes)('lets %s happen where it is the present one', async (_, call) => {
      const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 1 }));
      await write(call, { id, item: items[0], version: 1 });
    });

    test.each(writes)('refuses %s where it is not, and changes nothing', async (_, call) => {
      const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 1 }));
      const before = await whole(id);
      for (const version of [0, 2, -1, 2147483647]) {
        const { extensions, message } = await refusal(gateway(), mutation(call), { id, item: items[0], version });
        expect(extensions).toEqual({ code: 'VERSION_CONFLICT', reason: 'version_conflict', currentVersion: 1 });
        expect(message).toMatch(/is at version 1\b/);
      }
      expect(await whole(id)).toEqual(before);
    });

    test.each(writes)('is not asked for: %s without it', async (_, call) => {
      const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 1 }));
      await write(call, { id, item: items[0], version: null });
    });

    test('of a record that is not there is NOT_FOUND, not a conflict', async () => {
      for (const [, call] of writes) {
        const variables = { id: 'asset-repair_unknown', item: 'asset-repair-consumed-item_unknown', version: 1 };
        expect((await refusal(gateway(), mutation(call), variables)).extensions.code).toBe('NOT_FOUND');
      }
    });

    test('a wrong state is a conflict of versions first: the caller has not seen the state', async () => {
      const { id } = await createRepair(gateway());
      await write('submitAssetRepair(id: $id) { record { id } }', { id });
      const call = 'submitAssetRepair(id: $id, expectedVersion: $version) { record { id } }';
      expect((await refusal(gateway(), mutation(call), { id, version: 1 })).extensions.code).toBe('VERSION_CONFLICT');
      expect((await refusal(gateway(), mutation(call), { id, version: 2 })).extensions.code).toBe('INVALID_STATE');
    });

    test('of many writers who have read the same version exactly one wins', async () => {
      const { id } = await createRepair(gateway());
      const call = 'updateAssetRepair(id: $id, expectedVersion: 1, input: { asset: "mill" }) { record { version } }';
      const answers = await Promise.all(upTo(10).map(() => gateway().graphql(mutation(call), { id, item: id })));
      const outcomes = answers.map(({ body }) => body.errors?.[0].extensions.code ?? body.data.done.record.version);
      expect(outcomes.filter((outcome) => outcome === 2)).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'VERSION_CONFLICT')).toHaveLength(9);
    });
  });

  async function write(call: string, variables: Record<string, unknown>) {
    const given = { id: 'asset-repair_unknown', item: 'asset-repair-consumed-item_unknown', ...variables };
    return (await ask(gateway(), mutation(call), given)).done;
  }

  async function whole(id: string) {
    const query = `query ($id: ID!) {
      assetRepair(id: $id) { version updatedAt asset status consumedItems { id version idx itemCode } }
    }`;
    return (await ask(gateway(), query, { id })).assetRepair;
  }

  const versionOf = async (id: string): Promise<number> => (await whole(id)).version;
  const updatedAtOf = async (id: string): Promise<string> => (await whole(id)).updatedAt;
});
