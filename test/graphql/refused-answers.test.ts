/** A mutation with a wrong selection is refused before it writes, whether SQL or the resolvers would answer it. */
import { describe, expect, test } from 'vitest';
import { onDatabaseInTurn } from '../contract/on-both-databases.js';
import { ask } from './ask.js';
import { createRepair, repairInput } from './asset-repairs.js';

const many = (count: number, text: string) => Array(count).fill(text).join(', ');

onDatabaseInTurn(import.meta.filename, (gateway) => {
  const wrong = [
    'limit: 0',
    'limit: 1001',
    'offset: -1',
    `orderBy: [${many(9, '{ field: ITEM_CODE }')}]`,
    `where: { or: [${many(51, '{ itemCode: { eq: "x" } }')}] }`,
    `where: { itemCode: { in: [${many(1001, '"a"')}] } }`,
    'where: { itemCode: { eq: "\\u0000" } }',
  ];

  test.each(wrong.map((argument) => [argument.slice(0, 60), argument]))('lines with %s', async (_, argument) => {
    const { id } = await createRepair(gateway(), repairInput({ consumedItems: 1 }));
    const lines = `consumedItems(${argument}) { idx }`;
    const name = argument.split(':')[0];
    for (const mutation of [
      `updateAssetRepair(id: $id, input: { asset: "changed" }) { record { version ${lines} } }`,
      `submitAssetRepair(id: $id) { record { ...R } } } fragment R on AssetRepair { n: id ... on AssetRepair { ${lines} }`,
      `updateManyAssetRepairs(updates: [{ id: $id, input: { asset: "changed" } }]) { records { ${lines} } }`,
      `saveAssetRepair(id: $id, input: { asset: "changed" }) { record { alias: ${lines} } }`,
    ]) {
      const { body } = await gateway().graphql(`mutation ($id: ID!) { ${mutation} }`, { id });
      expect(body.errors, mutation).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
      expect(body.errors[0].message).toContain(name);
    }
    const { assetRepair } = await ask(gateway(), 'query ($id: ID!) { assetRepair(id: $id) { version status } }', {
      id,
    });
    expect(assetRepair).toEqual({ version: 1, status: 'DRAFT' });
  });

  describe('what @skip and @include leave out', () => {
    test('is not refused', async () => {
      const { id } = await createRepair(gateway(), repairInput({ consumedItems: 1 }));
      const query = `mutation ($id: ID!, $no: Boolean!) {
        updateAssetRepair(id: $id, input: { asset: "changed" }) {
          record {
            version consumedItems(limit: 0) @include(if: $no) { idx } ... @skip(if: true) { consumedItems(limit: 0) { idx } }
          }
        }
      }`;
      const { updateAssetRepair } = await ask(gateway(), query, { id, no: false });
      expect(updateAssetRepair.record).toEqual({ version: 2 });
    });
  });
});
