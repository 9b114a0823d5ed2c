/** An answer lists the first 50 problems of a request, whichever check finds them, and says how many more there are. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const fiftyOf = (count: number, code: string) => [
  ...Array.from({ length: 50 }, () => expect.objectContaining({ code })),
  { param: '', code, message: `The input has ${count - 50} more problems, which are not listed.`, more: count - 50 },
];

const names = Array.from({ length: 100 }, (_, place) => `name${place}`);

test('for all variables of an operation together', async () => {
  const { body } = await gateway.graphql(
    `mutation (${names.map((name) => `$${name}: CreateIndustryTypeInput!`)}) {
      ${names.map((name) => `${name}: createIndustryType(input: $${name}) { record { id } }`).join(' ')} }`,
    Object.fromEntries(names.map((name) => [name, { industry: 5 }])),
  );
  expect(body.errors[0].extensions.errors).toEqual(fiftyOf(100, 'parameter_invalid'));
});

test.each([
  ['a list of types', 'parameter_invalid', 'GET', `/api/events?types=${names}`],
  ['parameters', 'parameter_unknown', 'GET', `/api/events?${names.join('&')}`],
  [
    'a body',
    'parameter_unknown',
    'PATCH',
    '/api/assets/asset-repair/asset-repair_01kahzqe0v3m7c2f9x5w8yt4bd',
    Object.fromEntries(names.map((name) => [name, 1])),
  ],
])('of %s', async (_, code, method, path, body?: object) => {
  const answer = await gateway.rest(method, path, body, { accept: 'text/event-stream, application/json' });
  expect(answer.body.error.errors).toEqual(fiftyOf(100, code));
});

test('of a document, which is not validated any further', async () => {
  const { body } = await gateway.graphql(`{ ${names.join(' ')} }`);
  expect(body.errors).toHaveLength(51);
  expect(body.errors[50].message).toBe('The document has more than 50 errors; the others are not listed.');
});

test('of a long document, where to find the line of an error takes as long as reading it', async () => {
  const texts = names.map(() => `"${'x'.repeat(1100)}"`);
  const { body } = await gateway.graphql(
    `{ assetRepairs(where: {repairCost: {in: [${texts.join(' ')}]}}) { totalCount } }`,
  );
  expect(body.errors).toHaveLength(11);
  expect(body.errors[10].message).toBe('The document has more than 10 errors; the others are not listed.');
});

test('of a mutation that reports them in its payload', async () => {
  const consumedItems = names.map(() => ({ itemCode: '\u0000', warehouse: 'W' }));
  const { body } = await gateway.graphql(
    `mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { userErrors { code path message } } }`,
    { input: { asset: 'A', failureDate: '2026-01-31', consumedItems } },
  );
  const { userErrors } = body.data.createAssetRepair;
  expect(userErrors).toHaveLength(51);
  expect(userErrors[50]).toEqual({
    code: 'PARAMETER_INVALID',
    path: [],
    message: 'The input has 50 more problems, which are not listed.',
  });
});
