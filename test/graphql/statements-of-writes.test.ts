/** The number of SQL statements of writes: the same for a record with 1, 10 or 200 lines. */
import { describe, expect, test } from 'vitest';
import { onBothDatabases } from '../contract/on-both-databases.js';
import type { TestGateway } from '../support/gateway.js';
import { createRepair, repairInput } from './asset-repairs.js';
import { statementsOf } from './statements.js';

const sizes = [1, 10, 200];

onBothDatabases((gateway) => {
  const isSqlite = () => gateway().database.provider === 'sqlite';
  const create = (selection: string) =>
    `mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { ${selection} } } }`;

  test.each(['id', 'id consumedItems { itemCode }'])(
    '1 on PostgreSQL and 2 on SQLite to create a record with 1, 7 or 200 lines and answer { %s }',
    async (selection) => {
      for (const consumedItems of [1, 7, 200]) {
        const input = repairInput({ consumedItems });
        const statements = await statementsOf(gateway(), create(selection), { input });
        expect(statements, `${consumedItems} lines: ${statements.join('\n')}`).toHaveLength(isSqlite() ? 2 : 1);
      }
    },
  );

  test('one more on SQLite where the answer holds more than what was inserted', async () => {
    const input = repairInput({ consumedItems: 7 });
    for (const more of ['allowedActions', 'consumedItems { assetRepair { id } }']) {
      expect(await statementsOf(gateway(), create(more), { input }), more).toHaveLength(isSqlite() ? 3 : 1);
    }
  });

  test('no more on PostgreSQL, and one more on SQLite, for a further child list', async () => {
    const input = repairInput({ consumedItems: 7, purchaseInvoices: 7 });
    expect(await statementsOf(gateway(), create('id'), { input })).toHaveLength(isSqlite() ? 3 : 1);
  });

  describe.each([
    ['update', 'updateAssetRepair(id: $id, input: $input, expectedVersion: $version) { record { id asset } }'],
    ['update and answer the lines', 'updateAssetRepair(id: $id, input: $input) { record { consumedItems { idx } } }'],
    ['update by values in the text', 'updateAssetRepair(id: $id, input: { asset: "mill" }) { record { id asset } }'],
    ['submit', 'submitAssetRepair(id: $id) { record { status } }'],
  ])('1 on PostgreSQL and 2 on SQLite to %s', (_, call) => {
    test.each(sizes)('with %i lines', async (consumedItems) => {
      const { id } = await createRepair(gateway(), repairInput({ consumedItems }));
      const types = { $id: 'ID!', $input: 'UpdateAssetRepairInput!', $version: 'Int' };
      const declared = Object.entries(types).filter(([name]) => call.includes(name));
      const query = `mutation (${declared.map(([name, type]) => `${name}: ${type}`)}) { ${call} }`;
      const statements = await statementsOf(gateway(), query, { id, input: { asset: 'mill' }, version: 1 });
      expect(statements, statements.join('\n')).toHaveLength(isSqlite() ? 2 : 1);
    });
  });

  describe.each([
    [1, 'delete, lines and all', 'deleteAssetRepair(id: $id) { deleted }'],
    [
      3,
      'append a line',
      'createAssetRepairConsumedItem(input: { assetRepairId: $id, itemCode: "x", warehouse: "y" }) { record { id } }',
    ],
    [
      4,
      'put a line in front',
      'createAssetRepairConsumedItem(input: { assetRepairId: $id, itemCode: "x", warehouse: "y", idx: 1 }) { record { id } }',
    ],
    [
      3,
      'append a line and answer its parent',
      'createAssetRepairConsumedItem(input: { assetRepairId: $id, itemCode: "x", warehouse: "y" }) { record { assetRepair { id } } }',
    ],
  ])('%i to %s', (count, _, mutation) => {
    test.each(sizes)('with %i lines', async (consumedItems) => {
      const { id } = await createRepair(gateway(), repairInput({ consumedItems }));
      const statements = await statementsOf(gateway(), `mutation ($id: ID!) { ${mutation} }`, { id });
      expect(statements, statements.join('\n')).toHaveLength(count);
    });
  });

  describe.each([
    [
      1,
      'change a line',
      'updateAssetRepairConsumedItem(id: $item, input: { warehouse: "z" }) { record { warehouse } }',
    ],
    [
      1,
      'change a line and answer its parent',
      'updateAssetRepairConsumedItem(id: $item, input: { warehouse: "z" }) { record { assetRepair { version } } }',
    ],
    [
      4,
      'change a line and answer all',
      'updateAssetRepairConsumedItem(id: $item, input: { warehouse: "z" }) { record { assetRepair { consumedItems { id } } } }',
    ],
    [4, 'delete a line', 'deleteAssetRepairConsumedItem(id: $item) { deletedId }'],
  ])('%i on PostgreSQL, on SQLite at most 4, to %s', (most, _, mutation) => {
    test.each(sizes)('among %i', async (consumedItems) => {
      // One more, so that there is a gap to close.
      const { items } = await createRepair(gateway(), repairInput({ consumedItems: consumedItems + 1 }));
      const statements = await statementsOf(gateway(), `mutation ($item: ID!) { ${mutation} }`, { item: items[0] });
      const count = gateway().database.provider === 'postgresql' ? most : 4;
      expect(statements, statements.join('\n')).toHaveLength(count);
    });
  });

  test.each(sizes)(
    '4 to reorder %i lines, and answer them; 2 where they stand so, and a lock on PostgreSQL',
    async (consumedItems) => {
      const lock = gateway().database.provider === 'postgresql' ? 1 : 0;
      const count = consumedItems === 1 ? 2 + lock : 4;
      expect(await statementsOfReorder(gateway(), consumedItems, 'id idx')).toHaveLength(count);
    },
  );

  test('no more to answer the parent of each', async () => {
    expect(await statementsOfReorder(gateway(), 200, 'id assetRepair { id }')).toHaveLength(4);
  });

  test('5 to move a line, whatever the number of lines it passes', async () => {
    const mutation = 'updateAssetRepairConsumedItem(id: $item, input: { idx: $idx }) { record { idx } }';
    for (const [from, to] of [
      [1, 2],
      [1, 200],
      [200, 1],
    ] as const) {
      const { items } = await createRepair(gateway(), repairInput({ consumedItems: 200 }));
      const variables = { item: items[from - 1], idx: to };
      const statements = await statementsOf(gateway(), `mutation ($item: ID!, $idx: Int) { ${mutation} }`, variables);
      expect(statements, statements.join('\n')).toHaveLength(5);
    }
  });
});

async function statementsOfReorder(gateway: TestGateway, consumedItems: number, selection: string): Promise<string[]> {
  const { id, items } = await createRepair(gateway, repairInput({ consumedItems }));
  return statementsOf(
    gateway,
    `mutation ($id: ID!, $ids: [ID!]) { reorderAssetRepairConsumedItems(parentId: $id, ids: $ids) { records { ${selection} } } }`,
    { id, ids: items.reverse() },
  );
}
