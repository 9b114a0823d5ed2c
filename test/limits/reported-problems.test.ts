/** An answer reports the first 50 problems of a request, whichever check finds them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mostProblems } from '../../src/errors/problem.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const names = Array.from({ length: 100 }, (_, place) => `name${place}`);

test('for all variables of an operation together', async () => {
  const { body } = await gateway.graphql(
    `mutation (${names.map((name) => `$${name}: CreateIndustryTypeInput!`)}) {
      ${names.map((name) => `${name}: createIndustryType(input: $${name}) { record { id } }`).join(' ')} }`,
    Object.fromEntries(names.map((name) => [name, { industry: 5 }])),
  );
  expect(body.errors[0].extensions.errors).toHaveLength(mostProblems);
});

test.each([
  ['a list of types', 'GET', `/api/events?types=${names}`],
  ['parameters', 'GET', `/api/events?${names.join('&')}`],
  ['a body', 'POST', '/api/assets/asset-repair', Object.fromEntries(names.map((name) => [name, 1]))],
])('of %s', async (_, method, path, body?: object) => {
  const answer = await gateway.rest(method, path, body, { accept: 'text/event-stream, application/json' });
  expect(answer.body.error.errors).toHaveLength(mostProblems);
});
