/**
 * On PostgreSQL the text of a changing statement is made once for all changes that set the same fields: whatever is set,
 * and under whatever condition, the next change gets its own.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { seed } from '../support/seed.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ database: 'postgresql', env: { JOURNAL: 'false' } });
});
afterAll(() => gateway.close());

const fields = ['valuationRate', 'consumedQuantity', 'totalValue', 'serialNo', 'itemCode', 'warehouse'] as const;
const shown = `id version ${fields.join(' ')}`;
const change = `mutation ($id: ID!, $input: UpdateAssetRepairConsumedItemInput!, $version: Int) {
  updateAssetRepairConsumedItem(id: $id, input: $input, expectedVersion: $version) {
    record { ${shown} assetRepair { version } }
  }
}`;
const rename = `mutation ($id: ID!, $input: UpdateAssetRepairInput!, $version: Int) {
  updateAssetRepair(id: $id, input: $input, expectedVersion: $version) { record { version assetName description downtime } }
}`;

async function created() {
  const { body } = await gateway.graphql(`mutation {
    createAssetRepair(input: { asset: "a", assetName: "b", failureDate: "2024-01-01", consumedItems: [
      { itemCode: "x", warehouse: "w" }, { itemCode: "y", warehouse: "w" }
    ] }) { record { id version assetName description downtime consumedItems { ${shown} } } }
  }`);
  return body.data.createAssetRepair.record;
}
const code = (body: { errors?: { extensions: { code: string } }[] }) => body.errors?.[0]?.extensions.code;

const rate = fc.constantFrom(0, 0.5, 1, 1.5);
const text = fc.constantFrom('text 0', 'text 1', 'text 2');
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const values = {
  valuationRate: orNull(rate),
  consumedQuantity: orNull(text),
  totalValue: orNull(rate),
  serialNo: orNull(text),
  itemCode: text,
  warehouse: text,
};
const turn = fc.record({
  line: fc.constantFrom(0, 1),
  input: fc.record(values, { requiredKeys: [] }),
  condition: fc.constantFrom('none', 'null', 'its version', 'another version'),
});

test('400 random changes of lines, of 128 shapes', async () => {
  const { consumedItems: lines, version } = await created();
  let documentVersion = version;
  for (const { line: place, input, condition } of fc.sample(turn, { numRuns: 400, seed })) {
    const line = lines[place];
    const versions = { none: undefined, null: null, 'its version': line.version, 'another version': line.version + 1 };
    const given = versions[condition];
    const { body } = await gateway.graphql(change, { id: line.id, input, version: given });
    const differs = Object.entries(input).some(([name, value]) => line[name] !== value);
    if (condition === 'another version') {
      expect(code(body), JSON.stringify(input)).toBe('VERSION_CONFLICT');
      continue;
    }
    if (differs) {
      Object.assign(line, input, { version: line.version + 1 });
      documentVersion += 1;
    }
    const record = { ...line, assetRepair: { version: documentVersion } };
    expect(body, JSON.stringify(input)).toMatchObject({ data: { updateAssetRepairConsumedItem: { record } } });
  }
});

test('documents, in turn with lines of the same names, with and without a version', async () => {
  const { consumedItems: _, id, ...record } = await created();
  for (let turn = 0; turn < 40; turn++) {
    const input = turn % 3 === 0 ? { assetName: `n${turn}` } : { description: `d${turn}`, downtime: `t${turn >> 1}` };
    const stale = turn % 7 === 3;
    const version = stale ? record.version - 1 : turn % 2 === 0 ? record.version : undefined;
    const { body } = await gateway.graphql(rename, { id, input, version });
    if (stale) {
      expect(code(body)).toBe('VERSION_CONFLICT');
      continue;
    }
    Object.assign(record, input, { version: record.version + 1 });
    expect(body).toMatchObject({ data: { updateAssetRepair: { record } } });
  }
});
