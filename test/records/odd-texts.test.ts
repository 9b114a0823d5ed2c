/** Texts with a special meaning in the format for many rows are stored unchanged. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';

const texts = [
  '',
  'NULL',
  'null',
  '{}',
  '{"a","b"}',
  'a,b',
  '"',
  '\\',
  '\\"',
  '\\\\n',
  "it's",
  ' spaces ',
  'line\nbreak\ttab\r',
  'Ünï©ödé 😀',
  '$1',
];

describe.each(['sqlite', 'postgresql'] as const)('odd texts in many rows on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database });
  });
  afterAll(() => gateway.close());
  const data = async (query: string, variables: Record<string, unknown>) => {
    const { body } = await gateway.graphql(query, variables);
    expect(body.errors).toBeUndefined();
    return body.data;
  };

  it('are created, changed, saved and returned unchanged', async () => {
    const inputs = texts.map((text, index) => ({
      failureDate: '2026-01-01',
      asset: `A${text}`,
      description: text,
      ...(index % 2 === 0 ? { project: text, repairCost: index / 3 } : {}),
      consumedItems: texts.map((serialNo) => ({ itemCode: 'I', warehouse: 'W', serialNo, totalValue: 1e-7 })),
    }));
    const create = `mutation ($inputs: [CreateAssetRepairInput!]!) {
      many: createManyAssetRepairs(inputs: $inputs) { records { id asset description project repairCost } } }`;
    const { records: many } = (await data(create, { inputs: inputs.map(({ consumedItems: _, ...input }) => input) }))
      .many;
    expect(many).toEqual(
      inputs.map(({ asset, description, project = null, repairCost = 0 }) => ({
        id: expect.any(String),
        asset,
        description,
        project,
        repairCost,
      })),
    );

    const [first, second, ...others]: { id: string }[] = many;
    const update = `mutation ($updates: [UpdateManyAssetRepairsItem!]!) {
      many: updateManyAssetRepairs(updates: $updates) { records { id project actionsPerformed } } }`;
    const updates = others.map(({ id }, index) => ({
      id,
      input: index % 2 === 0 ? { project: `${texts[index]}!` } : { actionsPerformed: texts[index] || 'none' },
    }));
    const changed = await data(update, { updates });
    expect(changed.many.records).toMatchObject(updates.map(({ id, input }) => ({ id, ...input })));

    const save = `mutation ($id: ID!, $input: SaveAssetRepairInput!) {
      saveAssetRepair(id: $id, input: $input) { record { consumedItems { serialNo totalValue } } } }`;
    const lines = inputs[0]?.consumedItems;
    const { saveAssetRepair } = await data(save, { id: first?.id, input: { consumedItems: lines } });
    expect(saveAssetRepair.record.consumedItems).toEqual(texts.map((serialNo) => ({ serialNo, totalValue: 1e-7 })));

    // The journal has the same values.
    const history = `query ($id: ID!) { assetRepair(id: $id) { history { nodes { changes { path after } } } } }`;
    const { assetRepair } = await data(history, { id: second?.id });
    expect(assetRepair.history.nodes[0].changes).toContainEqual({ path: ['asset'], after: `A${texts[1]}` });
  });
});
