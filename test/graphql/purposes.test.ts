/**
 * An input that serves several purposes is checked for the one it is given for, in whatever form the operation is written: a
 * line has the same input alone and within its parent, a filter is also a condition on groups, an order also a key of groups.
 */
import { expect, test } from 'vitest';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { ask } from './ask.js';
import { createRepair, itemsOf, repairInput } from './asset-repairs.js';

for (const compiled of [true, false]) {
  onBothDatabases(
    (gateway) => {
      const update =
        'updateAssetRepairConsumedItem(id: $id, input: $input) { record { id idx itemCode assetRepairId } }';
      const declared = '$id: ID!, $input: UpdateAssetRepairConsumedItemInput!';
      const elsewhere =
        'mutation B($id: ID!, $input: UpdateAssetRepairConsumedItemInput!) { ...F } fragment F on Mutation { saveAssetRepair(id: $id, input: { consumedItems: [$input] }) { record { id } } }';

      test.each([
        ['compiled', `mutation A(${declared}) { ${update} }`],
        ['with a directive', `mutation A(${declared}) { ${update.replace('idx', 'idx @skip(if: false)')} }`],
        [
          'with the input in parts',
          `mutation A($id: ID!, $own: ID) { ${update.replace('$input', '{ itemCode: "x", id: $own }')} }`,
        ],
        ['beside an operation with another purpose', `mutation A(${declared}) { ${update} } ${elsewhere}`],
        ['twice', `mutation A(${declared}) { ${update} again: ${update} }`],
      ])('the id of a line is no field of it: an operation %s', async (_, query) => {
        const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 2 }));
        const [line = '', other = ''] = items;
        for (const own of [other, line, null]) {
          const variables = { id: line, input: { itemCode: 'x', id: own }, own };
          const { body } = await gateway().rest('POST', '/graphql', { query, variables, operationName: 'A' });
          expect(body.errors?.[0].extensions, JSON.stringify(body)).toMatchObject({
            code: 'BAD_USER_INPUT',
            errors: [{ param: 'input.id', code: 'parameter_unknown' }],
          });
        }
        expect(await itemsOf(gateway(), id)).toEqual(['item 1', 'item 2']);
      });

      test('a variable for a line that is saved and one that is changed is for both, where it has neither id nor place', async () => {
        const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 1 }));
        const query = `mutation ($repair: ID!, $id: ID!, $input: UpdateAssetRepairConsumedItemInput!) {
          ${update}
          saveAssetRepair(id: $repair, input: { consumedItems: [{ id: $id }, $input] }) { record { id } }
        }`;
        const input = { itemCode: 'both', warehouse: 'main' };
        await ask(gateway(), query, { repair: id, id: items[0], input });
        expect(await itemsOf(gateway(), id)).toEqual(['both', 'both']);
      });

      test('a line that is created alone needs its parent, and within its parent must not name one', async () => {
        const { id } = await createRepair(gateway(), repairInput());
        const alone =
          'mutation ($line: CreateAssetRepairConsumedItemInput!) { createAssetRepairConsumedItem(input: $line) { record { id } } }';
        const within =
          'mutation ($line: CreateAssetRepairConsumedItemInput!) { createAssetRepair(input: { asset: "A", failureDate: "x", consumedItems: [$line] }) { record { id } } }';
        const line = { itemCode: 'x', warehouse: 'main' };
        const refused = await gateway().graphql(alone, { line });
        expect(refused.body.errors[0].extensions.errors).toMatchObject([
          { param: 'line.assetRepairId', code: 'parameter_missing' },
        ]);
        const placed = await gateway().graphql(within, { line: { ...line, assetRepairId: id } });
        expect(placed.body.errors[0].extensions.errors).toMatchObject([
          { param: 'input.consumedItems[0].assetRepairId', code: 'parameter_unknown' },
        ]);
        expect((await gateway().graphql(alone, { line: { ...line, assetRepairId: id } })).body.errors).toBeUndefined();
        expect((await gateway().graphql(within, { line })).body.errors).toBeUndefined();
      });

      test.each([
        [
          'a filter',
          '$f: AssetRepairFilter',
          'assetRepairs(where: $f) { totalCount }',
          { repairCost: { sum: { gt: 1 } } },
        ],
        [
          'part of a filter',
          '$f: AssetRepairFilter!',
          'assetRepairs(where: { and: [$f] }) { totalCount }',
          { id: { count: { gt: 1 } } },
        ],
        [
          'a comparison',
          '$f: FloatComparison',
          'assetRepairs(where: { repairCost: $f }) { totalCount }',
          { max: { gt: 1 } },
        ],
        [
          'an order',
          '$f: [AssetRepairOrder!]',
          'assetRepairs(orderBy: $f) { totalCount }',
          [{ field: 'ASSET', measure: 'MAX' }],
        ],
        [
          'a condition on groups',
          '$f: AssetRepairFilter',
          'assetRepairAggregate(having: $f) { groups { count } }',
          { repairCost: { gt: 1 } },
        ],
        [
          'a key of groups',
          '$f: [AssetRepairOrder!]',
          'assetRepairAggregate(groupBy: $f) { groups { count } }',
          [{ field: 'ASSET', measure: 'MAX' }],
        ],
      ])('%s in a variable is checked for its place', async (_, declaration, field, f) => {
        for (const form of [field, `${field} __typename @skip(if: false)`]) {
          const { body } = await gateway().graphql(`query (${declaration}) { ${form} }`, { f });
          expect(body.errors?.[0].extensions.code, JSON.stringify(body)).toBe('BAD_USER_INPUT');
        }
      });
    },
    { compiled },
  );
}
