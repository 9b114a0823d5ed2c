/** Errors of an operation do not repeat the values in its text, which may be credentials. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const update = (input: string) => `mutation { updateAssetRepair(id: "x", input: { ${input} }) { record { id } } }`;

test.each([
  ['a string', update('repairCost: "canary"'), 'Float cannot represent non numeric value: a string'],
  ['a string with quotes', update('repairCost: "ca\\"na\\"ry"'), 'Float cannot represent non numeric value: a string'],
  ['a block', update('repairCost: """canary"""'), 'Float cannot represent non numeric value: a string'],
  ['a number', update('asset: 5'), 'String cannot represent a non string value: a number'],
  ['a boolean', update('asset: true'), 'String cannot represent a non string value: a boolean'],
  ['a name', update('asset: canary'), 'String cannot represent a non string value: a name'],
  ['a list', update('asset: ["canary", 1]'), 'String cannot represent a non string value: a list'],
  ['an object', update('asset: {canary: "canary"}'), 'String cannot represent a non string value: an object'],
  [
    'a string where an object belongs',
    'mutation { updateAssetRepair(id: "x", input: "canary") { record { id } } }',
    'Expected value of type "UpdateAssetRepairInput!", found a string.',
  ],
  [
    'a string for a name',
    '{ assetRepairs(orderBy: [{ field: "canary" }]) { totalCount } }',
    'Enum "AssetRepairSortField" cannot represent non-enum value: a string.',
  ],
  [
    'a string for an instant',
    '{ assetRepairs(where: { createdAt: { eq: "canary" } }) { totalCount } }',
    'DateTime must be an instant as ISO 8601, `2026-01-31T09:30:00.000Z`',
  ],
  ['a default', 'query ($n: Int = "canary") { assetRepairs(first: $n) { totalCount } }', 'value: a string'],
  ['a string out of place', '{ assetRepairs "canary" }', 'Syntax Error: Expected Name, found String.'],
  ['a block out of place', '{ assetRepairs """canary "quoted" """ }', 'found BlockString.'],
])('%s is not repeated', async (_, query, message) => {
  const { body, text } = await gateway.graphql(query);
  expect(body.errors[0].message).toContain(message);
  expect(body.errors[0].locations).toHaveLength(1);
  expect(text).not.toContain('canary');
});

test.each([
  ['a field', '{ assetRepair(id: "x") { asett } }', 'Did you mean "asset"'],
  ['a misspelt enum value', '{ assetRepairs(orderBy: [{ field: ASSETT }]) { totalCount } }', 'Did you mean'],
])('%s is', async (_, query, message) => {
  const { body } = await gateway.graphql(query);
  expect(body.errors[0].message).toContain(message);
});
