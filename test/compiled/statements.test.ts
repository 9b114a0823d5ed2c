/** A compiled read takes one statement for each field of Query, however deep and wide its selection. */
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
    [1, '{ node(id: $id) { id ... on AssetRepair { asset consumedItems { idx } } ... on JobCard { status } } }'],
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

  test.each([
    '{ page: assetRepairs(where: { consumedItems: { some: { idx: { gt: 1 } } } }, first: 3) { nodes { id } totalCount } }',
    '{ page: assetRepairs(orderBy: { field: ASSET }, last: 3, before: $cursor) { nodes { id } pageInfo { hasNextPage hasPreviousPage } } }',
    '{ page: assetRepairs(first: 4, last: 2) { nodes { id } totalCount pageInfo { hasNextPage hasPreviousPage } } }',
    '{ page: assetRepairs(before: $plain) { nodes { id consumedItemsConnection(first: 2, last: 1) { nodes { id } pageInfo { hasNextPage hasPreviousPage } } } pageInfo { hasNextPage hasPreviousPage } } }',
    '{ page: assetRepairs(where: { asset: { eq: "lathe" } }, orderBy: { field: ASSET }, after: $cursor) { edges { cursor node { id } } totalCount pageInfo { hasNextPage hasPreviousPage } } }',
    '{ page: assetRepairs(after: $plain, first: 2) { nodes { id consumedItems(where: { idx: { gt: 1 } }, orderBy: { field: ITEM_CODE }, limit: 1) { id } } pageInfo { hasPreviousPage } } }',
    '{ page: assetRepairConsumedItems(parentId: $id, where: { assetRepair: { asset: { eq: "lathe" } } }, last: 2) { nodes { id } totalCount } }',
  ])('1 for a page that the request chooses: %s', async (selection) => {
    const of = '(first: 1, offset: 10, orderBy: { field: ASSET })';
    const { body } = await gateway().graphql(
      `{ by: assetRepairs${of} { edges { cursor } } plain: assetRepairs(first: 1, offset: 10) { edges { cursor } } }`,
    );
    const values = { $id: ids[0], $cursor: body.data.by.edges[0].cursor, $plain: body.data.plain.edges[0].cursor };
    const query = selection.replaceAll(/\$\w+/g, (name) =>
      JSON.stringify(Object.entries(values).find(([key]) => key === name)?.[1]),
    );
    const ran = await statementsOf(gateway(), query);
    expect(ran, ran.join('\n')).toHaveLength(1);
  });

  test('2 for a page beyond the end that is asked what goes before it', async () => {
    const query = '{ assetRepairs(offset: 99) { nodes { id } pageInfo { hasPreviousPage } totalCount } }';
    expect(await statementsOf(gateway(), query)).toHaveLength(2);
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
