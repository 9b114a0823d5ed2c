import { brotliCompressSync, gzipSync } from 'node:zlib';
import { buildClientSchema, printSchema } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleApp } from '../../../src/features/pages/bundle-app.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { resources } from '../../support/resources.js';
import { schema } from '../../support/schema.js';
import { sharedGateway } from '../../support/shared-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await sharedGateway('sqlite', true);
});

const ofBrowser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const get = (path: string, headers: Record<string, string> = {}) =>
  gateway.rest('GET', path, undefined, { authorization: '', ...headers });

const weights = new Map<string, number>();
/** The bytes of a file by brotli. Most are of several pages, and take a while to compress. */
async function weightOf(file: string): Promise<number> {
  const weight = weights.get(file) ?? brotliCompressSync((await get(file)).text).length;
  weights.set(file, weight);
  return weight;
}

describe('a page', () => {
  const begun = async (path: string) => {
    const answer = await get(path, { accept: ofBrowser });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('vary')).toContain('Accept');
    const files = [...answer.text.matchAll(/(?:src|href)="((?!data:)[^"]+)"/g)].map(([, address]) => address ?? '');
    return files.map((file) => new URL(file, gateway.url + path).pathname);
  };

  test.each([
    ['/', 'overview', 0],
    ['/schema', 'map-page', 0],
    ['/schema/AssetRepair', 'map-page', 0],
    ['/records', 'records-page', 0],
    ['/records/asset-repair', 'records-page', 0],
    ['/records/a/b', 'record-page', 0],
    ['/docs/usage', 'usage-page', 0],
    ['/signed-in', 'sign-in', 0],
    ['/signed-in?code=abc&state=def', 'sign-in', 0],
    // With the large files of a tool, so that they are compiled while the app begins.
    ['/docs', 'docs-page', 1],
    ['/graphql', 'graphiql-page', 2],
    ['/graphql?query=%7B__typename%7D', 'graphiql-page', 2],
  ])('at %s begins with %s and with all that it imports, without a key', async (path, module, ofTool) => {
    const files = await begun(path);
    expect(files.filter((file) => file.startsWith(`/pages/${module}-`))).toHaveLength(1);
    expect(files.filter((file) => /\/(graphiql-(css|js)|scalar)-/.test(file))).toHaveLength(ofTool);
    expect(files).toEqual([...new Set(files)]);
    for (const file of files) {
      const { headers, text } = await get(file);
      expect(headers.get('cache-control'), file).toContain('immutable');
      if (/\/(graphiql-(css|js)|scalar)-/.test(file)) continue;
      // What is imported at once is asked for at once; the rest, `import("./…")`, when it is needed.
      const imported = [...text.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g)].map(([, name]) => `/pages/${name}`);
      expect(files).toEqual(expect.arrayContaining(imported));
    }
  });

  test.each([
    ['/records', 300],
    ['/records/asset-repair', 300],
    ['/records/asset-repair/1', 300],
    ['/', 200],
  ])('at %s loads at most %i kB by brotli before it asks for data', async (path, most) => {
    const all = await Promise.all((await begun(path)).map(weightOf));
    expect(all.reduce((sum, weight) => sum + weight, 0)).toBeLessThan(most * 1000);
  });

  test('cannot load or run anything from another origin, or inline', async () => {
    const page = await get('/', { accept: ofBrowser });
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).not.toMatch(/https?:|\*|unsafe/);
    expect(policy).toContain("script-src 'self'");
    expect(page.text).not.toMatch(/<style|<script>|style=/);
    const graphiql = (await get('/graphql', { accept: ofBrowser })).headers.get('content-security-policy') ?? '';
    expect(graphiql).not.toMatch(/https?:|\*|script-src[^;]*unsafe/);
  });
});

describe('an address at which there is nothing', () => {
  const missing = [
    '/nope',
    '/records/',
    '/records/a/b/c',
    '/docs/nope',
    '/graphql/',
    '/operations/None.json',
    '/%E0%A4',
  ];
  test.each(missing)('is a page with the status 404 to a browser: %s', async (path) => {
    const answer = await get(path, { accept: ofBrowser });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
    const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(answer.text) ?? [];
    expect((await get(new URL(script, gateway.url + path).pathname)).status).toBe(200);
  });

  test.each(missing)('is an error in JSON to everybody else: %s', async (path) => {
    for (const accept of ['*/*', 'application/json', 'application/json, text/html']) {
      const { status, body } = await get(path, { accept });
      expect([status, body.error.code]).toEqual([404, 'route_not_found']);
    }
    const post = await gateway.rest('POST', path, {}, { accept: ofBrowser });
    expect([post.status, post.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  });
});

describe('a client that is no browser', () => {
  test('gets the addresses of the surfaces', async () => {
    expect((await get('/', { accept: '*/*' })).body).toEqual({
      name: 'Business Records Gateway',
      rest: `${gateway.url}/api`,
      graphql: `${gateway.url}/graphql`,
      graphiql: `${gateway.url}/graphql`,
      authentication: 'Authorization: Bearer <API_KEY>',
    });
  });

  test.each([['*/*'], ['application/json'], ['application/graphql-response+json'], ['application/json, text/html']])(
    'gets GraphQL, which needs a key: %s',
    async (accept) => {
      const answer = await get('/graphql', { accept });
      expect(answer.status).toBe(401);
      expect(answer.body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    },
  );
});

describe('what the pages know without a key', () => {
  test('is every type with its names on both surfaces, which are there', async () => {
    const about = (await get('/pages/about.json')).body;
    expect(about.types.map(({ model }: { model: string }) => model)).toEqual(resources.map(({ model }) => model));
    const repair = about.types.find(({ model }: { model: string }) => model === 'AssetRepair');
    expect(repair).toMatchObject({
      one: 'assetRepair',
      many: 'assetRepairs',
      aggregate: 'assetRepairAggregate',
      hasStates: true,
      subscription: 'assetRepairChanged',
    });
    expect(repair.mutations).toContain('saveAssetRepair');
    expect(repair.mutations).toContain('createManyAssetRepairs');
    expect(repair.endpoints).toContainEqual({
      name: 'AssetRepairSubmit',
      operation: 'submit',
      method: 'POST',
      path: '/api/assets/asset-repair/{id}/submit',
    });
  });

  test('is how people read each type: what names a record, lists, forms, amounts, dates and links', async () => {
    const { types } = (await get('/pages/about.json')).body;
    const called = (name: string) => types.find(({ model }: { model: string }) => model === name);
    const field = (model: string, name: string) =>
      called(model).fields.find((each: { name: string }) => each.name === name);
    const quotation = called('Quotation');
    expect(quotation.namedBy).toEqual([['customerName', 'partyName']]);
    expect(quotation.listed).toContain('grandTotal');
    expect(quotation.groups[0]).toEqual({ heading: 'What it is', fields: ['orderType', 'title'] });
    expect(field('Quotation', 'grandTotal')).toMatchObject({ numberKind: 'money', currency: 'currency' });
    expect(field('Quotation', 'transactionDate').formats).toEqual(['date']);
    expect(field('Quotation', 'title')).not.toHaveProperty('formats');
    expect(field('JobCard', 'serialNo').link).toEqual({ model: 'SerialNo', by: 'serialNo', field: 'serialNoRecord' });
    expect(called('SerialNo').waysBack).toContainEqual({
      field: 'jobCardsBySerialNo',
      model: 'JobCard',
      text: 'serialNo',
    });
  });

  test('is that nobody signs in with an issuer, where no file names one', async () => {
    expect((await get('/pages/sign-in.json')).body).toEqual([]);
  });

  test('holds nothing of a record', async () => {
    await gateway.rest('POST', '/api/crm/industry-type', { industry: 'canary-of-a-record' });
    expect((await get('/pages/about.json')).text).not.toContain('canary');
  });

  test.each([['/pages/about.json'], ['/pages/introspection.json']])(
    '%s is sent once to whoever keeps it',
    async (path) => {
      const first = await get(path, { 'accept-encoding': 'gzip' });
      expect(first.headers.get('content-encoding')).toBe('gzip');
      const again = await get(path, { 'if-none-match': first.headers.get('etag') ?? '', 'cache-control': '' });
      expect([again.status, again.text]).toEqual([304, '']);
    },
  );

  test('is the whole schema for GraphiQL, most used types first', async () => {
    const { data } = (await get('/pages/introspection.json')).body;
    const names = data.__schema.types.map(({ name }: { name: string }) => name);
    expect(names.slice(0, 4)).toEqual(['Query', 'Mutation', 'Subscription', 'SigningDocument']);
    expect(names.indexOf('AssetRepair')).toBeLessThan(names.indexOf('AssetRepairConnection'));
    expect(names.indexOf('AssetRepairConnection')).toBeLessThan(names.indexOf('CreateAssetRepairInput'));
    expect(names.indexOf('CreateAssetRepairInput')).toBeLessThan(names.indexOf('AssetRepairFilter'));
    const sorted = (sdl: string) => sdl.split('\n\n').sort();
    expect(sorted(printSchema(buildClientSchema(data))).length).toBe(sorted(printSchema(schema)).length);
  });
});

test('all scripts of the pages together weigh less than 400 kB on the way, GraphiQL less than 3 MB', async () => {
  const { files } = await bundleApp();
  const weigh = (isCounted: (name: string) => boolean) =>
    files.filter(({ name }) => isCounted(name)).reduce((sum, { contents }) => sum + gzipSync(contents).length, 0);
  const ofTool = /^(scalar|graphiql-(css|js|\w+Worker\w*))-/;
  expect(weigh((name) => !ofTool.test(name))).toBeLessThan(400_000);
  expect(weigh((name) => name.startsWith('graphiql-'))).toBeLessThan(3_000_000);
});

test('where only trusted documents are executed, nobody gets the schema', async () => {
  const { writeFileSync } = await import('node:fs');
  const { join } = await import('node:path');
  const { freshFolder } = await import('../../support/database.js');
  const file = join(freshFolder(), 'trusted.json');
  writeFileSync(file, JSON.stringify({ abc: '{ assetRepairs { totalCount } }' }));
  const strict = await startGateway({ env: { TRUSTED_DOCUMENTS: file } });
  try {
    expect((await strict.rest('GET', '/pages/about.json')).body.graphiql).toBe(false);
    expect((await strict.rest('GET', '/pages/introspection.json')).status).toBe(404);
  } finally {
    await strict.close();
  }
});
