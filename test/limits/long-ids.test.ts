/** Errors do not repeat long ids in full: an operation may use an id of a megabyte a hundred times. */
import { expect, test } from 'vitest';
import { createRepair } from '../graphql/asset-repairs.js';
import { sharedGateway } from '../support/shared-gateway.js';

const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

test('of an id that is as long as a body, errors show the beginning', async () => {
  const gateway = await sharedGateway('sqlite', true);
  const { id } = await createRepair(gateway);
  const long = 'x'.repeat(1_000_000);
  const asks: [string, Record<string, unknown>][] = [
    [`mutation ($i: ID!) { ${times(100, (n) => `a${n}: deleteAssetRepair(id: $i) { deleted }`)} }`, { i: long }],
    [
      `mutation ($id: ID!, $i: ID!) { ${times(100, (n) => `a${n}: saveAssetRepair(id: $id, input: { consumedItems: [{ id: $i, itemCode: "x" }] }) { record { id } }`)} }`,
      { id, i: long },
    ],
    [`mutation ($i: [ID!]!) { a: deleteManyAssetRepairs(ids: $i) { deletedIds } }`, { i: [long] }],
    [
      `mutation ($id: ID!, $i: [ID!]!) { ${times(100, (n) => `a${n}: reorderAssetRepairConsumedItems(parentId: $id, ids: $i) { records { id } }`)} }`,
      { id, i: [long] },
    ],
  ];
  for (const [query, variables] of asks) {
    const { text, body } = await gateway.graphql(query, variables);
    expect(body.errors.length).toBeGreaterThan(0);
    expect(text.length, query.slice(0, 80)).toBeLessThan(200_000);
  }
});
