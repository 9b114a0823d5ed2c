/** SQL also answers a selection with more fields than a function of SQLite takes arguments, also for writes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isObject } from '../../src/common/is-object.js';
import { createRepair, repairInput, upTo } from '../graphql/asset-repairs.js';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { resourceOf } from '../support/resources.js';

/** `count` fields of a record type, of which at most 500 have an alias. */
function fields(model: 'AssetRepair' | 'AssetRepairConsumedItem', count: number): string {
  const own = [
    'id',
    'version',
    ...resourceOf(model)
      .fields.map(({ name }) => name)
      .filter((name) => !name.endsWith('Id')),
  ];
  const plain = own.slice(0, Math.max(count - 500, 2));
  return [...plain, ...upTo(count - plain.length).map((place) => `a${place}: ${plain[2] ?? 'version'}`)].join(' ');
}

describe.each(providers)('on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database });
  });
  afterAll(() => gateway.close());

  /** The record, or the value of the only field, in the answer of SQL. */
  const answered = async (operation: string, variables: object) => {
    const { body } = await gateway.graphql(operation, { ...variables });
    expect(body.errors, operation.slice(0, 80)).toBeUndefined();
    const ways = gateway.logLines.map((line) => JSON.parse(line)).filter(({ kind }) => kind);
    expect(ways.at(-1)).toMatchObject({ way: 'sql' });
    const [answer] = Object.values(body.data);
    return isObject(answer) && isObject(answer.record) ? answer.record : answer;
  };
  const sizeOf = (value: unknown): number => Object.keys(Object(value)).length;

  test.each([480, 499, 500, 501, 508])('%d fields of a record', async (count) => {
    const { id } = await createRepair(gateway);
    const shown = fields('AssetRepair', count);
    const update = `mutation ($id: ID!) { updateAssetRepair(id: $id, input: { asset: "saw" }) { record { ${shown} } } }`;
    expect(sizeOf(await answered(update, { id }))).toBe(count);
    expect(sizeOf(await answered(`query ($id: ID!) { assetRepair(id: $id) { ${shown} } }`, { id }))).toBe(count);
    const create = `mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { ${shown} } } }`;
    expect(sizeOf(await answered(create, { input: repairInput() }))).toBe(count);
    const many = `mutation ($updates: [UpdateManyAssetRepairsItem!]!) { updateManyAssetRepairs(updates: $updates) { records { ${shown} } } }`;
    const [first] = Object(Object(await answered(many, { updates: [{ id, input: { asset: 'mill' } }] })).records);
    expect(sizeOf(first)).toBe(count);
  });

  test.each([480, 499, 500, 501, 505])('%d fields of each line of a save', async (count) => {
    const { id } = await createRepair(gateway);
    const shown = fields('AssetRepairConsumedItem', count);
    const save = `mutation ($id: ID!, $input: SaveAssetRepairInput!) {
      saveAssetRepair(id: $id, input: $input) { record { consumedItems { ${shown} } } }
    }`;
    const saved = await answered(save, { id, input: { consumedItems: [{ itemCode: 'a', warehouse: 'main' }] } });
    expect(Object(saved).consumedItems.map(sizeOf)).toEqual([count]);
  });

  test('400 lists of lines', async () => {
    const { id } = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    const shown = upTo(400).map((place) => `l${place}: consumedItems { id }`);
    const update = `mutation ($id: ID!) { updateAssetRepair(id: $id, input: { asset: "saw" }) { record { ${shown.join(' ')} } } }`;
    expect(sizeOf(await answered(update, { id }))).toBe(400);
  });
});
