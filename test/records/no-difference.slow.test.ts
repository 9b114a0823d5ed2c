/** A write without a difference is no change: versions, ETags and times stay, in every kind of write. */
import { describe, expect, test } from 'vitest';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { ask } from '../graphql/ask.js';
import { createRepair, repairInput } from '../graphql/asset-repairs.js';

const query = `query ($id: ID!) { assetRepair(id: $id) {
  id version updatedAt status asset repairCost consumedItems { id version idx itemCode warehouse }
} }`;

/** Each writes the stored values; `$id` is the record, `$one` and `$two` are its lines. */
const writes: [string, string][] = [
  ['update with nothing', 'updateAssetRepair(id: $id, input: {}) { record { id } }'],
  [
    'update with the same values',
    'updateAssetRepair(id: $id, input: { asset: "lathe", repairCost: 0 }) { record { id } }',
  ],
  ['update with null for a default', 'updateAssetRepair(id: $id, input: { repairCost: null }) { record { id } }'],
  ['update with the same status', 'updateAssetRepair(id: $id, input: { status: DRAFT }) { record { id } }'],
  [
    'update at the present version',
    'updateAssetRepair(id: $id, input: { asset: "lathe" }, expectedVersion: 1) { record { id } }',
  ],
  [
    'update of many',
    'updateManyAssetRepairs(updates: [{ id: $id, input: { asset: "lathe" }, expectedVersion: 1 }]) { records { id } }',
  ],
  ['update of a line with nothing', 'updateAssetRepairConsumedItem(id: $one, input: {}) { record { id } }'],
  ['update of a line', 'updateAssetRepairConsumedItem(id: $one, input: { itemCode: "item 1" }) { record { id } }'],
  ['update of a line and its place', 'updateAssetRepairConsumedItem(id: $one, input: { idx: 1 }) { record { id } }'],
  [
    'a place beyond the last, of the last',
    'updateAssetRepairConsumedItem(id: $two, input: { idx: 99 }) { record { id } }',
  ],
  ['its own parent', 'updateAssetRepairConsumedItem(id: $one, input: { assetRepairId: $id }) { record { id } }'],
  ['reorder', 'reorderAssetRepairConsumedItems(parentId: $id, ids: [$one, $two]) { records { id } }'],
  ['reorder without ids', 'reorderAssetRepairConsumedItems(parentId: $id) { records { id } }'],
  ['save with nothing', 'saveAssetRepair(id: $id, input: {}) { record { id } }'],
  [
    'save of all',
    `saveAssetRepair(id: $id, input: { asset: "lathe", consumedItems: [{ id: $one, itemCode: "item 1" }, { id: $two }] }) {
      record { id }
    }`,
  ],
];

describe.each([true, false])('compiled: %s', (compiled) => {
  onBothDatabases(
    (gateway, share) => {
      test.each(compiled ? writes : share(writes))('%s', async (_, call) => {
        const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 2 }));
        const variables = { id, one: items[0], two: items[1] };
        const before = (await ask(gateway(), query, { id })).assetRepair;
        expect(before.version).toBe(1);
        const declared = Object.keys(variables).filter((name) => call.includes(`$${name}`));
        await ask(gateway(), `mutation (${declared.map((name) => `$${name}: ID!`)}) { ${call} }`, variables);
        expect((await ask(gateway(), query, { id })).assetRepair).toEqual(before);
      });

      test('over REST the ETag stays, also where the record is sent back as it was read', async () => {
        const { id } = await createRepair(gateway());
        const path = `/api/assets/asset-repair/${id}`;
        const read = await gateway().rest('GET', path);
        for (const body of [{}, undefined, { id }, { asset: 'lathe' }, read.body]) {
          const answer = await gateway().rest('PATCH', path, body, { 'if-match': read.headers.get('etag') ?? '' });
          expect([answer.status, answer.text]).toEqual([200, read.text]);
          expect(answer.headers.get('etag')).toBe(read.headers.get('etag'));
        }
      });

      test('of many updates only those that differ are made', async () => {
        const [one, two] = [await createRepair(gateway()), await createRepair(gateway())];
        const { updated } = await ask(
          gateway(),
          'mutation ($updates: [UpdateManyAssetRepairsItem!]!) { updated: updateManyAssetRepairs(updates: $updates) { records { version asset downtime } } }',
          {
            updates: [one, two].map(({ id }, index) => ({
              id,
              input: index ? { downtime: '1 Hour' } : { asset: 'lathe' },
            })),
          },
        );
        expect(updated.records).toEqual([
          { version: 1, asset: 'lathe', downtime: null },
          { version: 2, asset: 'lathe', downtime: '1 Hour' },
        ]);
      });

      test.each([
        ['an update', 'updateAssetRepair(id: $id, input: { asset: "mill" }) { record { id } }', 2, 1],
        [
          'an update of a line',
          'updateAssetRepairConsumedItem(id: $one, input: { warehouse: "shed" }) { record { id } }',
          2,
          2,
        ],
        ['a move of a line', 'updateAssetRepairConsumedItem(id: $one, input: { idx: 2 }) { record { id } }', 2, 2],
        ['a reorder', 'reorderAssetRepairConsumedItems(parentId: $id, ids: [$two, $one]) { records { id } }', 2, 2],
        [
          'a save',
          'saveAssetRepair(id: $id, input: { asset: "mill", consumedItems: [{ id: $two }, { id: $one }] }) { record { id } }',
          2,
          2,
        ],
      ])('of many who send %s at once exactly one changes something', async (_, call, version, lineVersion) => {
        const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 2 }));
        const variables = { id, one: items[0], two: items[1] };
        const declared = Object.keys(variables).filter((name) => call.includes(`$${name}`));
        const mutation = `mutation (${declared.map((name) => `$${name}: ID!`)}) { ${call} }`;
        await Promise.all(Array.from({ length: 12 }, () => ask(gateway(), mutation, variables)));
        const { assetRepair } = await ask(gateway(), query, { id });
        expect(assetRepair.version).toBe(version);
        const line = assetRepair.consumedItems.find((item: { id: string }) => item.id === items[0]);
        expect(line.version).toBe(lineVersion);
      });

      test('versions and states are checked all the same', async () => {
        const { id } = await createRepair(gateway());
        const codeOf = async (call: string) => {
          const { body } = await gateway().graphql(`mutation ($id: ID!) { ${call} }`, { id });
          return body.errors?.[0].extensions.code;
        };
        expect(await codeOf('updateAssetRepair(id: $id, input: {}, expectedVersion: 2) { record { id } }')).toBe(
          'VERSION_CONFLICT',
        );
        expect(await codeOf('saveAssetRepair(id: $id, input: {}, expectedVersion: 2) { record { id } }')).toBe(
          'VERSION_CONFLICT',
        );
        expect(await codeOf('cancelAssetRepair(id: $id) { record { id } }')).toBe('INVALID_STATE');
        expect(await codeOf('submitAssetRepair(id: $id) { record { id } }')).toBeUndefined();
        expect(await codeOf('submitAssetRepair(id: $id) { record { id } }')).toBe('INVALID_STATE');
      });
    },
    { compiled },
  );
});
