import { beforeAll, expect, test } from 'vitest';
import { requestIdOf } from '../../src/gateway/http/visit.js';
import type { TestGateway } from '../support/gateway.js';
import { sharedGateway } from '../support/shared-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await sharedGateway('sqlite', true);
});

test.each(['a', 'Order-4711.retry_2', 'x'.repeat(128)])('a plain X-Request-Id is taken: %s', async (id) => {
  const answer = await gateway.rest('GET', '/api/nowhere', undefined, { 'x-request-id': id });
  expect(answer.headers.get('x-request-id')).toBe(id);
  expect(answer.body.error.request_id).toBe(id);
});

test.each(['x'.repeat(129), 'a b', '{"id":1}', '<script>', 'ä'])('another is replaced by a new one: %s', async (id) => {
  const answer = await gateway.rest('GET', '/api/nowhere', undefined, { 'x-request-id': id });
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  expect(answer.body.error.request_id).toBe(answer.headers.get('x-request-id'));
});

test('without one every request gets its own, on every path', async () => {
  const paths = ['/', '/healthz', '/readyz', '/nowhere', '/graphql', '/graphiql/start.js', '/api/assets/asset-repair'];
  const ids = await Promise.all(
    [...paths, ...paths].map(async (path) => (await gateway.rest('GET', path)).headers.get('x-request-id')),
  );
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
});

test.each([
  ['a key', {}, '{ __typename }', { authorization: 'Bearer wrong' }],
  ['the text', {}, '{', {}],
  ['a name', {}, '{ assetRepair(id: "x") { nme } }', {}],
  ['the size', {}, `{ ${'__typename '.repeat(101)} }`, {}],
  ['a variable', { n: 'x' }, 'query ($n: Int) { assetRepairs(first: $n) { totalCount } }', {}],
  ['a value', {}, '{ assetRepairs(first: -1) { totalCount } }', {}],
  ['an id', {}, 'mutation { deleteAssetRepair(id: "x") { id } }', {}],
])(
  'every error of GraphQL holds it, also where the same mistake is made again: %s',
  async (_, variables, query, headers) => {
    for (const id of ['first', 'second']) {
      const { body } = await gateway.graphql(query, variables, { ...headers, 'x-request-id': id });
      expect(body.errors[0].extensions).toMatchObject({ code: expect.any(String), requestId: id });
    }
  },
);

test('no two of a thousand ids are the same, though many are drawn at once', () => {
  const ids = Array.from({ length: 1_000 }, () => requestIdOf(undefined));
  expect(new Set(ids).size).toBe(1_000);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
});
