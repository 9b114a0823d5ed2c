/**
 * The number of SQL statements of reads by the resolvers: one for each list and each parent in the selection, whatever
 * the number of records.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { ask } from './ask.js';
import { createRepairs, repairInput } from './asset-repairs.js';
import { expectAsMany, statementsOf } from './statements.js';

const sizes = [{ n: 1 }, { n: 10 }, { n: 60 }];

onBothDatabases(
  (gateway, share) => {
    let ids: string[] = [];

    beforeAll(async () => {
      ids = await createRepairs(gateway(), 60, repairInput({ consumedItems: 3, purchaseInvoices: 1 }));
    });

    // The resolvers answer operations with a directive; others may be answered by compiled SQL, with fewer statements.
    describe.each([
      ['plain', ''],
      ['with a condition', ', where: { asset: { eq: "lathe" } }'],
    ])('a page of 1, 10 and 60 records, %s, takes as many statements', (_, condition) => {
      test.each(
        share([
          [1, 'the records', 'nodes { id asset }'],
          [1, 'where the page stands', 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'],
          [2, 'the records and the total', 'nodes { id asset } totalCount'],
          [2, 'their lines', 'nodes { consumedItems { itemCode } }'],
          [2, 'a slice of their lines', 'nodes { consumedItems(limit: 2, offset: 1) { itemCode } }'],
          [
            2,
            'those of their lines that a condition holds of',
            'nodes { consumedItems(where: { idx: { gt: 1 } }) { idx } }',
          ],
          [3, 'all their child lists', 'nodes { consumedItems { itemCode } purchaseInvoices { repairCost } }'],
          [3, 'their lines, and the parents of those', 'nodes { consumedItems { assetRepair { asset } } }'],
          [
            4,
            'lines of parents of lines',
            'nodes { consumedItems(limit: 5) { assetRepair { purchaseInvoices(limit: 5) { idx } } } }',
          ],
          [
            4,
            'two slices of one list',
            'nodes { a: consumedItems(limit: 1) { idx } b: consumedItems(limit: 2) { idx } }',
          ],
          [
            2,
            'edges and nodes with different fields',
            'edges { cursor node { asset } } nodes { consumedItems { idx } }',
          ],
        ] as const),
      )('%i at most for %s', async (most, _, selection) => {
        const query = `query ($n: Int) { assetRepairs(first: $n${condition}) { ${selection} } }`;
        await expectAsMany(gateway(), most, query, sizes);
      });
    });

    test('totalCount alone reads no record', async () => {
      const statements = await statementsOf(gateway(), '{ assetRepairs { totalCount } }');
      expect(statements).toHaveLength(1);
      expect(statements[0]).not.toContain('"AssetRepair"');
    });

    test('a total that is not asked for is not counted', async () => {
      const statements = await statementsOf(gateway(), '{ assetRepairs { nodes { id } pageInfo { hasNextPage } } }');
      expect(statements.join()).not.toMatch(/count/i);
    });

    test('only the columns asked for are read', async () => {
      const [statement] = await statementsOf(gateway(), '{ assetRepairs { nodes { asset } } }');
      expect(statement).toContain('asset');
      expect(statement).not.toContain('failureDate');
    });

    test.each(
      share([
        [1, 'where: { consumedItems: { some: { itemCode: { eq: "item 3" } } } }', 'nodes { asset }'],
        [1, 'orderBy: [{ field: ASSET }, { field: REPAIR_COST, direction: DESC }]', 'nodes { asset }'],
        [2, 'orderBy: { field: ASSET }', 'nodes { consumedItems(orderBy: { field: ITEM_CODE }) { idx } }'],
      ] as const),
    )('%i at most for %s { %s }', async (most, args, selection) => {
      const query = `query ($n: Int) { assetRepairs(first: $n, ${args}) { ${selection} } }`;
      await expectAsMany(gateway(), most, query, sizes);
    });

    test.each(
      share([
        [1, 'nodes { id }'],
        [1, 'nodes { id } pageInfo { hasNextPage }'],
        [3, 'nodes { id } pageInfo { hasPreviousPage }'],
      ] as const),
    )('%i at most for a page behind a cursor with %s', async (most, selection) => {
      const { assetRepairs } = await ask(gateway(), '{ assetRepairs(first: 5) { pageInfo { endCursor } } }');
      const query = `query ($n: Int, $after: String) { assetRepairs(first: $n, after: $after) { ${selection} } }`;
      const after = assetRepairs.pageInfo.endCursor;
      await expectAsMany(
        gateway(),
        most,
        query,
        sizes.map((size) => ({ ...size, after })),
      );
    });

    test('a page of lines behind a cursor takes one more, to see where its line stands now', async () => {
      const page = 'assetRepairConsumedItems(parentId: $id, first: 1';
      const query = `query ($id: ID!) { page: ${page}) { pageInfo { endCursor } } }`;
      const { pageInfo } = (await ask(gateway(), query, { id: ids[0] })).page;
      const behind = `query ($id: ID!, $after: String) { ${page}, after: $after) { nodes { id } } }`;
      expect(await statementsOf(gateway(), behind, { id: ids[0], after: pageInfo.endCursor })).toHaveLength(2);
    });

    test.each(
      share([
        [1, '{ record: assetRepair(id: $id) { id asset } }'],
        [3, '{ record: assetRepair(id: $id) { consumedItems { idx } purchaseInvoices { idx } } }'],
        [1, '{ record: node(id: $id) { id ... on AssetRepair { asset } } }'],
        [1, '{ page: assetRepairConsumedItems(parentId: $id) { nodes { itemCode } pageInfo { hasNextPage } } }'],
        [2, '{ page: assetRepairConsumedItems(parentId: $id) { nodes { itemCode } totalCount } }'],
        [2, '{ page: assetRepairConsumedItems(parentId: $id) { nodes { assetRepair { asset } } } }'],
      ] as const),
    )('%i at most for %s', async (most, selection) => {
      await expectAsMany(gateway(), most, `query ($id: ID!) ${selection}`, [{ id: ids[0] }]);
    });

    test.each(
      share([
        [1, '... on AssetRepair { asset }'],
        [2, '... on AssetRepair { consumedItems { itemCode } }'],
        [3, '... on AssetRepair { consumedItems { itemCode } purchaseInvoices { repairCost } }'],
      ] as const),
    )('%i at most for 1, 10, 50 and 200 nodes with %s', async (most, selection) => {
      const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { id ${selection} } }`;
      await expectAsMany(
        gateway(),
        most,
        query,
        [1, 10, 50, 200].map((n) => ({ ids: ids.slice(0, n) })),
      );
    });

    test('nodes of several types take one statement each', async () => {
      const { invoices, items } = await lines();
      const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on AssetRepair { asset } } }';
      const mixed = [...ids.slice(0, 20), ...items, ...invoices, 'asset-repair_unknown', 'no id at all'];
      await expectAsMany(gateway(), 3, query, [{ ids: mixed }]);
    });

    async function lines() {
      const { body } = await gateway().graphql(
        '{ assetRepairs(first: 15) { nodes { consumedItems { id } purchaseInvoices { id } } } }',
      );
      const repairs: { consumedItems: { id: string }[]; purchaseInvoices: { id: string }[] }[] =
        body.data.assetRepairs.nodes;
      return {
        items: repairs.flatMap(({ consumedItems }) => consumedItems.map(({ id }) => id)),
        invoices: repairs.flatMap(({ purchaseInvoices }) => purchaseInvoices.map(({ id }) => id)),
      };
    }
  },
  { compiled: false },
);
