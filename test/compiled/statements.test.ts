/** What a compiled read costs: one statement for each field of Query, however deep and wide its selection. */
import { beforeAll, expect, test } from 'vitest';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { createRepairs, repairInput } from '../graphql/asset-repairs.js';
import { statementsOf } from '../graphql/statements.js';

onBothDatabases((gateway) => {
  let ids: string[] = [];
  beforeAll(async () => {
    ids = await createRepairs(gateway(), 30, repairInput({ consumedItems: 3, purchaseInvoices: 1 }));
  });

  test.each([
    [1, '{ record: assetRepair(id: $id) { id asset } }'],
    [1, '{ record: assetRepair(id: $id) { consumedItems { idx assetRepair { asset } } purchaseInvoices { idx } } }'],
    [1, '{ page: assetRepairConsumedItems(parentId: $id) { nodes { assetRepair { asset } } totalCount } }'],
    [1, '{ assetRepair(id: $id) { id } page: assetRepairs { __typename } }'],
    [2, '{ one: assetRepair(id: $id) { id } other: assetRepair(id: $id) { asset } }'],
  ])('%i for %s', async (count, selection) => {
    const ran = await statementsOf(gateway(), `query ($id: ID!) ${selection}`, { id: ids[0] });
    expect(ran, ran.join('\n')).toHaveLength(count);
  });

  test.each([
    [1, 'nodes { id consumedItems { itemCode } purchaseInvoices { repairCost } } totalCount pageInfo { hasNextPage }'],
    [1, 'nodes { id } edges { cursor node { asset } } pageInfo { startCursor endCursor hasPreviousPage }'],
    [1, 'totalCount'],
  ])('%i for a page of 1, 10 and 30 records: %s', async (count, selection) => {
    for (const n of [1, 10, 30]) {
      const query = `query ($n: Int) { assetRepairs(first: $n) { ${selection} } }`;
      expect(await statementsOf(gateway(), query, { n })).toHaveLength(count);
    }
  });

  test('1 for a page over REST, and 1 for a record', async () => {
    for (const path of ['?limit=5', '?limit=5&offset=3', `/${ids[0]}`]) {
      const before = gateway().statements.length;
      expect((await gateway().rest('GET', `/api/assets/asset-repair${path}`)).status).toBe(200);
      const ran = gateway()
        .statements.slice(before)
        .filter((sql) => !sql.includes('ApiKey'));
      expect(ran).toHaveLength(1);
    }
  });
});
