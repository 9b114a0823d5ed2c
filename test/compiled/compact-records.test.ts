/** PostgreSQL returns records without their keys, and the gateway adds them, whatever the values look like. */
import { expect, test } from 'vitest';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { statementsOf } from '../graphql/statements.js';

const texts = ['', '"', '\\', '\\"', 'a\\\\', '], [', '", "', '{"a": [null]}', 'null', 'é – 漢 😀', '\u0001\n\t/', ' '];
const numbers = [0, -0, 0.1, 1e21, 1e-7, -1.5e-300, 123456789012345680000, 1e15, 0.0001, 0.00001, -2];

onBothDatabases((gateway) => {
  const create = 'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }';

  /** The same record as read and as expected. */
  async function roundTrip(selection: string, input: object) {
    const required = { asset: 'A', failureDate: '2026-01-31' };
    const { body: created } = await gateway().graphql(create, { input: { ...required, ...input } });
    const { id } = created.data.createAssetRepair.record;
    const query = `query ($id: ID!) { assetRepair(id: $id) { ${selection} } }`;
    const statements = await statementsOf(gateway(), query, { id });
    expect(statements).toHaveLength(1);
    return (await gateway().graphql(query, { id })).body.data.assetRepair;
  }

  test.each(texts)('the text %j', async (text) => {
    const line = { itemCode: 'x', warehouse: 'y' };
    const lines = [{ ...line, serialNo: text }, line, { ...line, itemCode: text }];
    const found = await roundTrip('description project consumedItems { itemCode serialNo } purchaseInvoices { id }', {
      description: text,
      consumedItems: lines,
    });
    expect(found).toEqual({
      description: text,
      project: null,
      consumedItems: lines.map(({ itemCode, serialNo }: Record<string, string>) => ({
        itemCode,
        serialNo: serialNo ?? null,
      })),
      purchaseInvoices: [],
    });
  });

  test.each(numbers)('the number %j', async (number) => {
    const found = await roundTrip('repairCost totalRepairCost consumedItems { totalValue }', {
      repairCost: number,
      consumedItems: [{ itemCode: 'x', warehouse: 'y', totalValue: number }],
    });
    // Not toEqual, which tells 0 from -0.
    expect(JSON.stringify(found)).toBe(
      JSON.stringify({ repairCost: number, totalRepairCost: null, consumedItems: [{ totalValue: number }] }),
    );
  });

  test.each([1, 99, 100, 101, 200, 201, 250])('%i fields', async (count) => {
    const names = Array.from({ length: count }, (_, index) => `a${index}`);
    const found = await roundTrip(
      names.map((name, index) => `${name}: ${index % 2 === 0 ? 'repairCost' : 'capitalizeRepairCost'}`).join(' '),
      { repairCost: 2.5 },
    );
    expect(found).toEqual(Object.fromEntries(names.map((name, index) => [name, index % 2 === 0 ? 2.5 : false])));
  });

  test('actions, parents, and the record under two names', async () => {
    const found = await roundTrip(
      '__typename createdAt allowedActions consumedItems { __typename assetRepair { allowedActions createdAt } }',
      { consumedItems: [{ itemCode: 'A', warehouse: 'y' }] },
    );
    const { createdAt } = found;
    expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(found.allowedActions).toEqual(['SUBMIT']);
    expect(found.consumedItems).toEqual([
      { __typename: 'AssetRepairConsumedItem', assetRepair: { allowedActions: ['SUBMIT'], createdAt } },
    ]);
    const { body } = await gateway().graphql(
      '{ one: assetRepairs(first: 1) { nodes { x: asset } } other: assetRepairs(first: 1) { nodes { y: asset } } }',
    );
    expect(body.data).toEqual({ one: { nodes: [{ x: 'A' }] }, other: { nodes: [{ y: 'A' }] } });
  });

  test('of columns alone, many at once, as each by itself', async () => {
    const selection =
      'id status storedStatus version createdAt updatedAt asset description repairCost totalRepairCost increaseInAssetLife capitalizeRepairCost __typename';
    const inputs = texts.flatMap((text, index) => [
      { description: text, repairCost: numbers[index % numbers.length], capitalizeRepairCost: index % 2 === 0 },
      { totalRepairCost: numbers[index % numbers.length], increaseInAssetLife: -index, project: text },
    ]);
    const alone = [];
    for (const input of inputs) alone.push(await roundTrip(selection, input));
    const query = `query ($first: Int) { assetRepairs(first: $first) { nodes { ${selection} } edges { node { ${selection} } } } }`;
    expect(await statementsOf(gateway(), query, { first: inputs.length })).toHaveLength(1);
    const { nodes, edges } = (await gateway().graphql(query, { first: inputs.length })).body.data.assetRepairs;
    const found = nodes.toReversed();
    expect(JSON.stringify(found)).toBe(JSON.stringify(alone));
    expect(edges.map(({ node }: { node: unknown }) => node)).toEqual(nodes);
    const { body } = await gateway().graphql(
      `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on AssetRepair { ${selection} } } }`,
      { ids: alone.map(({ id }) => id) },
    );
    expect(JSON.stringify(body.data.nodes)).toBe(JSON.stringify(alone));
  });

  test('many at once of which nothing is selected', async () => {
    const query = 'query ($asked: Boolean!) { assetRepairs(first: 2) { nodes { asset @include(if: $asked) } } }';
    expect(await statementsOf(gateway(), query, { asked: false })).toHaveLength(1);
    expect((await gateway().graphql(query, { asked: false })).body.data).toEqual({ assetRepairs: { nodes: [{}, {}] } });
  });
});
