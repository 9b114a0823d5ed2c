/**
 * The number of SQL statements of saves and of mutations of many records, which does not depend on the number of lines
 * and records.
 */
import { describe, expect, test } from 'vitest';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { createRepair, createRepairs, repairInput, upTo } from './asset-repairs.js';
import { statementsOf } from './statements.js';

const sizes = [1, 20];

onBothDatabases((gateway) => {
  describe('a save', () => {
    const save = (selection: string) => `mutation ($id: ID!, $input: SaveAssetRepairInput!) {
      saveAssetRepair(id: $id, input: $input) { ${selection} }
    }`;

    test.each([
      [3, 'that changes a field', 'record { id }', () => ({ asset: 'mill' })],
      [5, 'that changes all lines', 'record { id }', change],
      [5, 'that deletes all lines', 'record { id }', () => ({ consumedItems: [] })],
      [5, 'that turns the lines round', 'record { id }', (items: string[]) => lines([...items].reverse())],
      [6, 'that replaces all lines', 'record { id }', replace],
      [7, 'that does all of this, and answers the lines', 'record { consumedItems { idx } }', everything],
    ])('%i %s', async (count, _, selection, input) => {
      for (const consumedItems of sizes.map((size) => size * 2)) {
        const { id, items } = await createRepair(gateway(), repairInput({ consumedItems }));
        const statements = await statementsOf(gateway(), save(selection), { id, input: input(items) });
        expect(statements, `${consumedItems} lines: ${statements.join('\n')}`).toHaveLength(count);
      }
    });

    test('2 of nothing but the record, and one to lock it on PostgreSQL', async () => {
      const { id } = await createRepair(gateway());
      const statements = await statementsOf(gateway(), save('record { id }'), { id, input: {} });
      expect(statements).toHaveLength(gateway().database.provider === 'postgresql' ? 3 : 2);
    });

    test('that is only tried out takes as many, but for the answer', async () => {
      const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 20 }));
      const query = `mutation ($id: ID!, $input: SaveAssetRepairInput!) {
        saveAssetRepair(id: $id, input: $input, validateOnly: true) { changes { fields } }
      }`;
      expect(await statementsOf(gateway(), query, { id, input: everything(items) })).toHaveLength(6);
    });
  });

  test.each([
    [1, 'records', repairInput()],
    [2, 'records with lines', repairInput({ consumedItems: 3 })],
    [3, 'records with two kinds of lines', repairInput({ consumedItems: 3, purchaseInvoices: 2 })],
  ])('%i on SQLite, and 1 on PostgreSQL, to create 1 and 20 %s', async (several, _, input) => {
    const count = gateway().database.provider === 'postgresql' ? 1 : several;
    const query =
      'mutation ($inputs: [CreateAssetRepairInput!]!) { createManyAssetRepairs(inputs: $inputs) { records { id } } }';
    for (const size of sizes) {
      const inputs = upTo(size).map((number) => (number % 2 ? input : { ...input, company: 'ACME' }));
      const statements = await statementsOf(gateway(), query, { inputs });
      expect(statements, `${size}: ${statements.join('\n')}`).toHaveLength(count);
    }
  });

  test('2 to update 1 and 20 records, 1 to delete them, one more to count their lines, and to lock several on PostgreSQL', async () => {
    const update =
      'mutation ($updates: [UpdateManyAssetRepairsItem!]!) { updateManyAssetRepairs(updates: $updates) { records { id } } }';
    const remove = 'mutation ($ids: [ID!]!) { deleteManyAssetRepairs(ids: $ids) { deletedIds } }';
    for (const size of sizes) {
      const ids = await createRepairs(gateway(), size, repairInput({ consumedItems: 2 }));
      const updates = ids.map((id, index) => ({ id, input: index % 2 ? { asset: 'a' } : { status: 'SUBMITTED' } }));
      const locks = size > 1 && gateway().database.provider === 'postgresql' ? 1 : 0;
      expect(await statementsOf(gateway(), update, { updates })).toHaveLength(2 + locks);
      expect(await statementsOf(gateway(), remove, { ids })).toHaveLength(2 + locks);
    }
  });
});

const lines = (items: string[]) => ({ consumedItems: items.map((id) => ({ id })) });

const added = (items: string[]) => items.map((_, index) => ({ itemCode: `new ${index}`, warehouse: 'main' }));

function change(items: string[]) {
  return {
    consumedItems: items.map((id, index) => (index % 2 ? { id, warehouse: 'b' } : { id, serialNo: `${index}` })),
  };
}

const replace = (items: string[]) => ({ consumedItems: added(items) });

/** Changes the record, deletes half of the lines, changes the others and adds as many. */
function everything(items: string[]) {
  const kept = items.slice(items.length / 2).map((id) => ({ id, warehouse: 'shed' }));
  return { asset: 'mill', consumedItems: [...added(items), ...kept] };
}
