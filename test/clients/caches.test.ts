/** The caches of docs/graphql.md, with the libraries that they are for, in a browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { type InBrowser, noBrowser, openInBrowser } from './in-browser.js';
import { possibleTypes } from './possible-types.js';
import { hundredRepairs } from './records.js';

const selected = {
  nodes: 'nodes { id asset }',
  edges: 'edges { node { id asset } }',
};

const listBy = (form: 'nodes' | 'edges') => `query ($search: String, $after: String) {
  assetRepairs(first: 30, search: $search, after: $after) { ${selected[form]} pageInfo { hasNextPage endCursor } }
}`;

interface Page {
  assetRepairs: {
    nodes?: { asset: string }[];
    edges?: { node: { asset: string } }[];
    pageInfo: { endCursor: string };
  };
}

describe.skipIf(noBrowser).each(['apollo', 'graphcache'])('the page %s', (name) => {
  let gateway: TestGateway;
  let browser: InBrowser<typeof import('./pages/graphcache.js')>;
  beforeAll(async () => {
    gateway = await startGateway({ env: { SEARCH: 'true' } });
    await hundredRepairs(gateway);
    browser = await openInBrowser<typeof import('./pages/graphcache.js')>(`test/clients/pages/${name}.ts`, gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  async function shown(form: 'nodes' | 'edges', search?: string) {
    const { assetRepairs } = Object(await browser.call('ask', listBy(form), search ? { search } : {})) as Page;
    const nodes = form === 'nodes' ? assetRepairs.nodes : assetRepairs.edges?.map(({ node }) => node);
    return { assets: nodes?.map(({ asset }) => asset), end: assetRepairs.pageInfo.endCursor };
  }

  test.each([
    ['edges', 'nodes'],
    ['nodes', 'edges'],
  ] as const)('shows a list that it got as %s also as %s, and all of its pages', async (one, other) => {
    await browser.call('open', gateway.key, possibleTypes);
    const first = await shown(one);
    expect(first.assets).toHaveLength(30);
    expect((await shown(other)).assets).toEqual(first.assets);
    await browser.call('more', listBy(one), {}, first.end);
    expect((await shown(one)).assets).toHaveLength(60);
    expect((await shown(other)).assets).toEqual((await shown(one)).assets);
    expect(await browser.call('requestsSoFar')).toBe(2);
  });

  test('holds what a search has found apart from the list, and one search from another', async () => {
    await browser.call('open', gateway.key, possibleTypes);
    const whole = await shown('nodes');
    expect((await shown('nodes', 'asset 007')).assets).toEqual(['ASSET-007']);
    expect((await shown('nodes', 'asset 008')).assets).toEqual(['ASSET-008']);
    expect(await shown('nodes')).toEqual(whole);
    expect(browser.complaints).toEqual([]);
  });
});
