/**
 * "Open in GraphiQL" in a real browser: the operation that the explanation of a REST call opens gives the same result
 * as the call. For one endpoint of every kind of operation and record.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decidedEndpoints, documentedEndpoints, type Endpoint } from '../contract/endpoints.js';
import { someRecord } from '../contract/records.js';
import { alike, type Call, calls, inRestForm, send, withoutLines } from '../rest/calls.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { restOperations } from '../support/rest-operations.js';
import { missing, openBrowser } from './browser.js';
import { press } from './press.js';
import { answerIn, runQuery, shownTab } from './visit.js';

interface Kind {
  kind: string;
  /** The name of the operation. */
  name: string;
  endpoint: Pick<Endpoint, 'method' | 'path'>;
  /** Whether a second call would find the effects of the first. */
  isShared?: (gateway: TestGateway) => Promise<boolean>;
  call(gateway: TestGateway): Promise<Call>;
}

const documented = [...documentedEndpoints, ...decidedEndpoints];

/** The documented endpoint that this one belongs to. */
const base = (path: string) => documented.find((one) => one.path === path.replace('/history', ''));

const kinds = new Map<string, Kind>();
for (const { name, operation, resource, method, path, parameters } of restOperations) {
  const endpoint = base(path);
  if (!endpoint) throw new Error(`${path} belongs to no documented endpoint`);
  const add = (kind: string, call: Kind['call']) => {
    if (kinds.has(kind)) return;
    const isShared = (gateway: TestGateway) => withoutLines(gateway, endpoint);
    kinds.set(kind, { kind, name, endpoint: { method, path }, isShared, call });
  };
  const of = `of a ${resource.kind}`;
  if (operation === 'history')
    add(`history ${of}`, async (gateway) => ({
      id: (await someRecord(gateway, endpoint.resource)).id,
      query: ['limit=2'],
    }));
  else add(`${operation} ${of}`, (gateway) => calls[operation](gateway, endpoint));
  if (parameters.some((parameter) => parameter.name === 'as_of'))
    add(`${operation} ${of}, as it was`, async (gateway) => {
      const { id, created_at } = await someRecord(gateway, endpoint.resource);
      return { id, query: [`as_of=${created_at}`] };
    });
}
kinds.set('changes of all records', {
  kind: 'changes of all records',
  name: 'Changes',
  endpoint: { method: 'GET', path: '/api/changes' },
  call: async () => ({ query: ['limit=3', 'types=asset-repair'] }),
});

const reason = missing();
if (reason) console.log(reason);

describe.skipIf(reason)('the operation that a call of REST opens in GraphiQL', () => {
  let gateway: TestGateway;
  let browser: Awaited<ReturnType<typeof openBrowser>>;

  beforeAll(async () => {
    gateway = await startGateway();
    await gateway.rest('POST', '/api/assets/asset-repair', { asset: 'LATHE-7', failure_date: '2026-11-20' });
    browser = await openBrowser();
    await browser.page.goto(`${gateway.url}/#key=${gateway.key}`);
    await browser.page.getByRole('button', { name: 'Sign out' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  test('is asked about for every kind of endpoint', () => {
    const operations = new Set(restOperations.map(({ operation, resource }) => `${operation} of a ${resource.kind}`));
    expect([...kinds.keys()]).toEqual(expect.arrayContaining([...operations]));
    expect(kinds.size).toBeGreaterThan(operations.size);
  });

  test.each([...kinds.values()])('gives the data of the call: $kind ($name)', async ({ name, endpoint, ...kind }) => {
    const { page } = browser;
    const isShared = await kind.isShared?.(gateway);
    const performed = await kind.call(gateway);
    // A read can be repeated; a write needs a second record with the same content.
    const isRead = endpoint.method === 'GET';
    const other = isRead || isShared ? performed : await kind.call(gateway);
    const rest = await send(gateway, { ...endpoint, ...performed });
    expect(rest.status, rest.text).toBeLessThan(300);
    if (isShared) await kind.isShared?.(gateway);
    const explained = { ...endpoint, ...other, query: [...other.query, '_explain=graphql'] };
    const { explanation } = (await send(gateway, explained)).body;

    // An address that differs only behind `#` would not load the page.
    await page.goto('about:blank');
    await page.goto(gateway.url + explanation.graphiql);
    await shownTab(page, name).waitFor();
    const isAnswered = page.waitForResponse((one) => one.request().postDataJSON()?.operationName === name);
    await runQuery(page);
    const { data, errors } = await (await isAnswered).json();
    expect(errors).toBeUndefined();
    const given = inRestForm(data);
    if (isRead) expect(given).toEqual(rest.body);
    else expect(alike(given)).toEqual(alike(rest.body));
    await answerIn(page).getByText('"data"').first().waitFor();
  });

  test('shows events as they happen', async () => {
    const { page } = browser;
    const { explanation } = (await gateway.rest('GET', '/api/events?types=asset-repair&_explain=graphql')).body;
    await page.goto('about:blank');
    await page.goto(gateway.url + explanation.graphiql);
    await shownTab(page, 'Events').waitFor();
    await runQuery(page);
    await answerIn(page).getByText('OPENED').waitFor();
    const create = { asset: 'LATHE-8', failure_date: '2026-11-20' };
    const { id } = (await gateway.rest('POST', '/api/assets/asset-repair', create)).body;
    await answerIn(page).getByText(id).first().waitFor();
    await press(page.getByRole('button', { name: /Stop query/ }));
  });

  test('and no page logged an error', () => {
    expect(browser.complaints).toEqual([]);
  });
});
