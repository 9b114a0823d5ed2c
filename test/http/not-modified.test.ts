/** An answer 304 has no body, so it has no `Content-Type` either: a cache would take it for that of what it keeps. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const single = '/api/accounts/subscription-settings';
const query = `/graphql?query=${encodeURIComponent('{ industryTypes { totalCount } }')}`;

const files = ['/openapi.json', '/openapi.yaml', '/schema.graphql', '/operations.json'];

test.each([single, query, ...files, 'a script of the pages'])('%s', async (path) => {
  const html = await gateway.rest('GET', '/docs', undefined, { accept: 'text/html' });
  const script = `/${/src="\/?(pages\/app-\w+\.js)"/.exec(html.text)?.[1]}`;
  const asked = path.startsWith('/') ? path : script;
  const first = await gateway.rest('GET', asked);
  const etag = first.headers.get('etag') ?? '';
  expect([first.status, etag]).toEqual([200, expect.stringContaining('"')]);
  for (const method of ['GET', 'HEAD']) {
    const again = await gateway.rest(method, asked, undefined, { 'if-none-match': etag });
    expect([method, again.status, again.text, again.headers.get('content-type')]).toEqual([method, 304, '', null]);
    expect(again.headers.get('etag')).toBe(etag);
  }
});
