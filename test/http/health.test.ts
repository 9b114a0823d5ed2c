import { afterEach, beforeEach, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.close());

const get = (path: string) => gateway.rest('GET', path, undefined, { authorization: '' });

test('a running gateway is alive and ready, to whoever asks', async () => {
  for (const path of ['/healthz', '/readyz']) {
    const answer = await get(path);
    expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }]);
  }
});

test('a gateway without its database is alive but not ready', async () => {
  await gateway.database.close();
  expect((await get('/healthz')).status).toBe(200);
  const answer = await get('/readyz');
  expect([answer.status, answer.body]).toEqual([503, { status: 'database_unavailable' }]);
});

test('without its database both surfaces say so, and that it may pass', async () => {
  await gateway.database.close();
  const rest = await gateway.rest('GET', '/api/assets/asset-repair');
  expect([rest.status, rest.body.error.code]).toEqual([503, 'database_unavailable']);
  expect(rest.headers.get('retry-after')).toBe('1');
  const graphql = await gateway.graphql('{ __typename }');
  expect([graphql.status, graphql.body.errors[0].extensions.code]).toEqual([503, 'UNAVAILABLE']);
  expect(graphql.headers.get('retry-after')).toBe('1');
});

test('a draining gateway is alive, not ready, still answers, and closes each connection it has answered', async () => {
  gateway.drain();
  expect((await get('/healthz')).status).toBe(200);
  const ready = await get('/readyz');
  expect([ready.status, ready.body]).toEqual([503, { status: 'draining' }]);
  const answer = await gateway.rest('GET', '/api/assets/asset-repair');
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
});
