import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { sharedGateway } from '../support/shared-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await sharedGateway('sqlite', true);
});

const ofBrowser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const get = (path: string, headers: Record<string, string> = {}) =>
  gateway.rest('GET', path, undefined, { authorization: '', ...headers });

describe('the GraphQL endpoint, opened by a browser', () => {
  test('is GraphiQL, without a key', async () => {
    const answer = await get('/graphql', { accept: ofBrowser });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.text).toContain('<title>Business Records · GraphiQL</title>');
    expect(answer.headers.get('vary')).toContain('Accept');
  });

  test('is GraphiQL also with a query in its address, which the page keeps there', async () => {
    const answer = await get('/graphql?query=%7B__typename%7D', { accept: ofBrowser });
    expect(answer.text).toContain('GraphiQL');
  });

  test('takes nothing from any other server', async () => {
    const page = await get('/graphql', { accept: ofBrowser });
    const addresses = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');
    expect(addresses).toEqual(['data:,', 'graphiql/graphiql.css', 'graphiql/graphiql.js', 'graphiql/start.js']);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).not.toMatch(/https?:|\*/);
    expect(policy).toContain("connect-src 'self'");
    for (const address of addresses.slice(1)) expect((await get(`/${address}`)).status, address).toBe(200);
  });

  test('has a place for the key and a first query that the schema takes', async () => {
    const start = (await get('/graphiql/start.js')).text;
    expect(start).toContain('Authorization');
    expect(start).toContain('"shouldPersistHeaders": false');
    const query = JSON.parse(/"defaultQuery": (".*")/.exec(start)?.[1] ?? '""');
    const answer = await gateway.graphql(query);
    expect(answer.body).toEqual({ data: { assetRepairs: { totalCount: 0, nodes: [] } } });
  });
});

describe('whoever is no browser', () => {
  test.each([['*/*'], ['application/json'], ['application/graphql-response+json'], ['application/json, text/html']])(
    'gets GraphQL, which needs a key: %s',
    async (accept) => {
      const answer = await get('/graphql', { accept });
      expect(answer.status).toBe(401);
      expect(answer.body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    },
  );

  test('gets no introspection without a key', async () => {
    const body = { query: '{ __schema { types { name } } }' };
    const answer = await gateway.rest('POST', '/graphql', body, { authorization: '', accept: ofBrowser });
    expect(answer.status).toBe(401);
    expect(answer.text).not.toContain('AssetRepair');
  });
});

describe('the files of GraphiQL', () => {
  const files = ['graphiql.js', 'graphiql.css', 'editor.worker.js', 'graphql.worker.js', 'json.worker.js'];

  test.each(files)('%s is sent compressed, and only once to a browser that keeps it', async (name) => {
    const first = await fetch(`${gateway.url}/graphiql/${name}`, { headers: { 'accept-encoding': 'gzip' } });
    await first.arrayBuffer();
    expect(first.headers.get('content-encoding')).toBe('gzip');
    expect(first.headers.get('content-type')).toMatch(name.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
    const etag = first.headers.get('etag') ?? '';
    const again = await get(`/graphiql/${name}`, { 'if-none-match': etag, 'cache-control': '' });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('are sent as they are to a client that cannot unpack them', async () => {
    const packed = await get('/graphiql/json.worker.js', { 'accept-encoding': 'gzip' });
    const plain = await get('/graphiql/json.worker.js', { 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.text.length).toBeGreaterThan(500_000);
    expect(plain.text).toBe(packed.text);
  });

  test('weigh less than 3 MB on the way', async () => {
    const { packedFiles } = await import('../../src/pages/graphiql-files.js');
    const sizes = [...(await packedFiles()).values()].map(({ gzip }) => gzip.length);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(3_000_000);
    for (const { gzip } of (await packedFiles()).values()) expect(gunzipSync(gzip).length).toBeGreaterThan(100_000);
  });
});
