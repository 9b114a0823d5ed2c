/** The pages of two gateways below paths of one proxy, which have no PUBLIC_URL: relative addresses suffice them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { pathProxy } from '../support/path-proxy.js';
import { missing, openBrowser } from './browser.js';
import { press } from './press.js';
import { answerIn, runQuery, shownTab } from './visit.js';

const reason = missing();
if (reason) console.log(reason);

describe.skipIf(reason)('below a path', () => {
  let proxy: Awaited<ReturnType<typeof pathProxy>>;
  let gateways: TestGateway[];
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let url: string;
  const failed: string[] = [];

  beforeAll(async () => {
    proxy = await pathProxy();
    gateways = [await startGateway(), await startGateway()];
    for (const [index, gateway] of gateways.entries()) proxy.pass(`/records-${index}`, gateway.url);
    url = `${proxy.url}/records-0`;
    const create = { asset: 'LATHE-7', failure_date: '2026-11-20' };
    await gateways[0]?.rest('POST', '/api/assets/asset-repair', create);
    browser = await openBrowser();
    browser.page.on('response', (response) => {
      if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
    });
    await browser.page.goto(`${url}/#key=${gateways[0]?.key}`);
  });
  afterAll(async () => {
    await browser?.close();
    for (const gateway of gateways ?? []) await gateway.close();
    await proxy?.close();
  });

  test('every page opens, and leads to the others below the path', async () => {
    const { page } = browser;
    await page.locator('[role="img"][aria-label*="draft"]').first().waitFor();
    await press(page.getByRole('link', { name: 'Map', exact: true }));
    await page.locator('.drawing a').first().waitFor();
    expect(page.url()).toBe(`${url}/schema`);
    await press(page.getByRole('link', { name: 'Records', exact: true }));
    await press(page.getByRole('main').getByRole('link', { name: 'Asset Repair', exact: true }));
    await page.getByText('1 in all').waitFor();
    await press(page.getByRole('main').getByRole('row').getByRole('link').first());
    await page.getByText('Version 1').first().waitFor();
    expect(page.url()).toMatch(`${url}/records/asset-repair/asset-repair_`);
    await page.reload();
    await press(page.getByRole('link', { name: 'Open in GraphiQL' }));
    await runQuery(page);
    await answerIn(page).getByText('LATHE-7').first().waitFor();
    expect(page.url()).toMatch(`${url}/graphql#`);
    await page.goto(`${url}/graphql#operation=AssetRepairList`);
    await page.reload();
    await shownTab(page, 'AssetRepairList').waitFor();
    await page.goto(`${url}/docs/usage`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(failed).toEqual([]);
  });

  test('the reference performs calls, and its translation leads to GraphiQL', async () => {
    const { page } = browser;
    await page.goto(`${url}/docs#tag/assets/GET/api/assets/asset-repair`);
    const call = page.getByRole('button', { name: /Test Request.*get.*\/api\/assets\/asset-repair\)/i }).first();
    await press(call);
    await press(page.getByRole('button', { name: /^Send get request/ }));
    await page.getByText('200 OK').first().waitFor();
    await page.keyboard.press('Escape');
    await page.goto('about:blank');
    await page.goto(`${url}/docs`);
    await press(page.getByText('Translate a call between REST and GraphQL'));
    await page.getByLabel('A line of curl').fill(`curl ${url}/api/assets/asset-repair`);
    await press(page.getByRole('button', { name: 'Translate', exact: true }));
    const link = page.getByRole('region', { name: 'Translation' }).getByRole('link', { name: 'Open in GraphiQL' });
    expect(await link.getAttribute('href')).toMatch('/records-0/graphql#query=');
    expect(failed).toEqual([]);
  });

  test('the key of one gateway is not given to the pages of another', async () => {
    const { page } = browser;
    await page.goto(`${proxy.url}/records-1/`);
    await page.getByLabel('API key').waitFor();
    const tab = await page.context().newPage();
    await tab.goto(`${url}/`);
    await tab.getByLabel('API key').waitFor();
    await page.goto(`${url}/`);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await tab.goto(`${proxy.url}/records-1/`);
    await tab.getByLabel('API key').waitFor();
    expect(gateways.flatMap(({ logLines }) => logLines.filter((line) => line.includes('UNAUTHENTICATED')))).toEqual([]);
  });

  test('addresses asked for are all below the path', () => {
    expect(
      browser.requests.filter((asked) => /^http/.test(asked) && !asked.startsWith(`${proxy.url}/records-`)),
    ).toEqual([]);
    expect(browser.complaints).toEqual([]);
  });
});
