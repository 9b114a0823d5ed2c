/**
 * A cursor stays behind its record: a client that reads page by page while others write skips nothing and reads nothing
 * twice.
 */
import { describe, expect, test } from 'vitest';
import { onBothDatabases } from '../contract/on-both-databases.js';
import type { TestGateway } from '../support/gateway.js';
import { ask } from './ask.js';
import { createRepair, createRepairs, repairInput } from './asset-repairs.js';

onBothDatabases((gateway) => {
  describe('in a list of records, newest first', () => {
    test.each([
      ['records are created', async () => void (await createRepairs(gateway(), 2))],
      ['its record is deleted', async (ids: string[]) => remove(gateway(), 'AssetRepair', ids[2])],
      ['records before it are deleted', async (ids: string[]) => remove(gateway(), 'AssetRepair', ids[0])],
    ])('a cursor goes on where it was after %s', async (_, write) => {
      const ids = (await createRepairs(gateway(), 6)).reverse();
      const [cursor] = await cursorsOf(`assetRepairs(first: 1, offset: 2)`);
      await write(ids);
      expect(await idsOf(`assetRepairs(first: 3, after: "${cursor}")`)).toEqual(ids.slice(3, 6));
    });

    test('a cursor from the end continues at its place after its record is deleted', async () => {
      const ids = (await createRepairs(gateway(), 6)).reverse();
      const [cursor] = await cursorsOf(`assetRepairs(first: 1, offset: 4)`);
      await remove(gateway(), 'AssetRepair', ids[4]);
      expect(await idsOf(`assetRepairs(last: 2, before: "${cursor}")`)).toEqual(ids.slice(2, 4));
    });
  });

  describe('among the lines of a parent', () => {
    test.each([
      ['a line is put in front', (id: string) => insert(gateway(), id, 1), [3, 4, 5]],
      ['a line is put right behind it', (id: string) => insert(gateway(), id, 4), ['new', 3, 4]],
      ['a line in front of it is deleted', (_: string, ids: string[]) => removeItem(ids[0]), [3, 4, 5]],
      ['its line is deleted', (_: string, ids: string[]) => removeItem(ids[2]), [3, 4, 5]],
      ['a line behind it is deleted', (_: string, ids: string[]) => removeItem(ids[3]), [4, 5]],
      ['the order is turned round', (id: string, ids: string[]) => reorder(gateway(), id, [...ids].reverse()), [1, 0]],
    ])('a cursor goes on where it was after %s', async (_, write, expected) => {
      const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 6 }));
      const [cursor] = await cursorsOf(`assetRepairConsumedItems(parentId: "${id}", first: 1, offset: 2)`);
      await write(id, items);
      const found = await idsOf(`assetRepairConsumedItems(parentId: "${id}", first: 3, after: "${cursor}")`);
      expect(found.map((item) => (items.includes(item) ? items.indexOf(item) : 'new'))).toEqual(expected);
    });

    test.each([
      ['a line is put in front', (id: string) => insert(gateway(), id, 1), [1, 2]],
      ['its line is deleted', (_: string, ids: string[]) => removeItem(ids[3]), [1, 2]],
      ['a line in front of it is deleted', (_: string, ids: string[]) => removeItem(ids[2]), [0, 1]],
    ])('a cursor from the end goes on where it was after %s', async (_, write, expected) => {
      const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 6 }));
      const [cursor] = await cursorsOf(`assetRepairConsumedItems(parentId: "${id}", first: 1, offset: 3)`);
      await write(id, items);
      const found = await idsOf(`assetRepairConsumedItems(parentId: "${id}", last: 2, before: "${cursor}")`);
      expect(found.map((item) => items.indexOf(item))).toEqual(expected);
    });

    const removeItem = (id: string | undefined) => remove(gateway(), 'AssetRepairConsumedItem', id);
  });

  async function idsOf(field: string): Promise<string[]> {
    const { page } = await ask(gateway(), `{ page: ${field} { nodes { id } } }`);
    return page.nodes.map(({ id }: { id: string }) => id);
  }

  async function cursorsOf(field: string): Promise<string[]> {
    const { page } = await ask(gateway(), `{ page: ${field} { edges { cursor } } }`);
    return page.edges.map(({ cursor }: { cursor: string }) => cursor);
  }
});

async function remove(gateway: TestGateway, model: string, id: string | undefined): Promise<void> {
  await ask(gateway, `mutation ($id: ID!) { delete${model}(id: $id) { deletedId } }`, { id });
}

async function insert(gateway: TestGateway, assetRepairId: string, idx: number): Promise<void> {
  const input = { assetRepairId, idx, itemCode: 'inserted', warehouse: 'main' };
  const query =
    'mutation ($input: CreateAssetRepairConsumedItemInput!) { createAssetRepairConsumedItem(input: $input) { record { id } } }';
  await ask(gateway, query, { input });
}

async function reorder(gateway: TestGateway, parentId: string, ids: string[]): Promise<void> {
  const query =
    'mutation ($parentId: ID!, $ids: [ID!]) { reorderAssetRepairConsumedItems(parentId: $parentId, ids: $ids) { records { id } } }';
  await ask(gateway, query, { parentId, ids });
}
