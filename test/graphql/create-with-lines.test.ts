/** A record and its lines are created in one input, all or nothing. */
import { describe, expect, test } from 'vitest';
import { onDatabaseInTurn } from '../contract/on-both-databases.js';
import { ask, refusal } from './ask.js';
import { itemsOf, repairInput } from './asset-repairs.js';

const createOrder = `mutation ($input: CreateSubcontractingInwardOrderInput!) {
  order: createSubcontractingInwardOrder(input: $input) {
    record {
      id
      version
      items { idx itemCode qty order: subcontractingInwardOrder { id } }
      receivedItems { idx rmItemCode }
      secondaryItems { idx itemCode }
      serviceItems { idx itemCode }
    }
  }
}`;

const createRepair = `mutation ($input: CreateAssetRepairInput!) {
  repair: createAssetRepair(input: $input) { record { id version consumedItems { id idx version itemCode } } }
}`;

onDatabaseInTurn(import.meta.filename, (gateway) => {
  test('lines of every kind, in the order given, under their parent', async () => {
    const input = {
      items: [{ itemCode: 'b', qty: 2.5 }, { itemCode: 'a' }, { itemCode: 'c' }],
      receivedItems: [{ rmItemCode: 'raw' }],
      secondaryItems: [],
      serviceItems: [{ itemCode: 'y' }, { itemCode: 'x' }],
    };
    const {
      order: { record: order },
    } = await ask(gateway(), createOrder, { input });
    const parent = { order: { id: order.id } };
    expect(order).toEqual({
      id: order.id,
      version: 1,
      items: [
        { idx: 1, itemCode: 'b', qty: 2.5, ...parent },
        { idx: 2, itemCode: 'a', qty: null, ...parent },
        { idx: 3, itemCode: 'c', qty: null, ...parent },
      ],
      receivedItems: [{ idx: 1, rmItemCode: 'raw' }],
      secondaryItems: [],
      serviceItems: [
        { idx: 1, itemCode: 'y' },
        { idx: 2, itemCode: 'x' },
      ],
    });
  });

  test('lines get ids, versions and defaults as if created by themselves', async () => {
    const {
      card: { record: card },
    } = await ask(
      gateway(),
      `mutation { card: createJobCard(input: { timeLogs: [{ employee: "E-1" }, { completedQty: 3 }] }) {
        record {
          id timeLogs { id version idx parentId parentType completedQty jobCard { id } }
        }
      } }`,
    );
    const given = { version: 1, parentId: card.id, parentType: 'Job Card', jobCard: { id: card.id } };
    expect(card.timeLogs).toEqual([
      { id: expect.stringMatching(/^job-card-time-log_/), idx: 1, completedQty: 0, ...given },
      { id: expect.stringMatching(/^job-card-time-log_/), idx: 2, completedQty: 3, ...given },
    ]);
    expect(new Set(card.timeLogs.map(({ id }: { id: string }) => id)).size).toBe(2);
  });

  test('a thousand lines', async () => {
    const {
      repair: { record: repair },
    } = await ask(gateway(), createRepair, { input: repairInput({ consumedItems: 1000 }) });
    const items = await itemsOf(gateway(), repair.id);
    expect([items.length, items[0], items[999]]).toEqual([1000, 'item 1', 'item 1000']);
  });

  test('no lines where none are given, or null', async () => {
    for (const lines of [{}, { consumedItems: null }, { consumedItems: [] }]) {
      const input = { failureDate: 'today', asset: 'lathe', ...lines };
      expect((await ask(gateway(), createRepair, { input })).repair.record.consumedItems).toEqual([]);
    }
  });

  describe('one wrong line', () => {
    test.each([
      ['lacks an R field', { itemCode: 'bolt' }, 'warehouse', 'parameter_missing'],
      ['has null for an R field', { itemCode: 'bolt', warehouse: null }, 'warehouse', 'parameter_invalid'],
      ['has a wrong type', { itemCode: 'bolt', warehouse: 'main', totalValue: '5' }, 'totalValue', 'parameter_invalid'],
      ['has an unknown field', { itemCode: 'bolt', warehouse: 'main', colour: 'red' }, 'colour', 'parameter_unknown'],
      ['names its own place', { itemCode: 'bolt', warehouse: 'main', idx: 1 }, 'idx', 'parameter_unknown'],
      [
        'names a parent',
        { itemCode: 'bolt', warehouse: 'main', assetRepairId: 'x' },
        'assetRepairId',
        'parameter_unknown',
      ],
    ])('that %s is named, and nothing is stored', async (_, line, field, code) => {
      const before = await counts();
      const input = repairInput({ consumedItems: 2 });
      const error = await refusal(gateway(), createRepair, {
        input: { ...input, consumedItems: [...input.consumedItems, line] },
      });
      expect(error.extensions).toMatchObject({
        code: 'BAD_USER_INPUT',
        errors: [{ param: `input.consumedItems[2].${field}`, code }],
      });
      expect(await counts()).toEqual(before);
    });
  });

  test('a fault while the lines are stored leaves nothing of the record', async () => {
    const before = await counts();
    // The model knows no unique codes; this database gets a rule that the third line breaks.
    await gateway().database.client.$executeRawUnsafe(
      'CREATE UNIQUE INDEX "only_here" ON "AssetRepairConsumedItem" ("assetRepairId", "itemCode")',
    );
    try {
      const input = repairInput({ consumedItems: 3, purchaseInvoices: 1 });
      input.consumedItems[2] = { itemCode: 'item 1', warehouse: 'main' };
      const error = await refusal(gateway(), createRepair, { input });
      expect(error.extensions.code).toBe('INTERNAL_SERVER_ERROR');
      expect(await counts()).toEqual(before);
    } finally {
      await gateway().database.client.$executeRawUnsafe('DROP INDEX "only_here"');
    }
  });

  async function counts() {
    const { client } = gateway().database;
    return {
      shown: (await ask(gateway(), '{ assetRepairs { totalCount } }')).assetRepairs.totalCount,
      repairs: await client.assetRepair.count(),
      items: await client.assetRepairConsumedItem.count(),
      invoices: await client.assetRepairPurchaseInvoice.count(),
    };
  }
});
