import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { missing, openBrowser } from './browser.js';

const reason = missing();
if (reason) console.log(reason);

describe.skipIf(reason)('GraphiQL in a browser', () => {
  let gateway: TestGateway;
  let browser: Awaited<ReturnType<typeof openBrowser>>;

  beforeAll(async () => {
    gateway = await startGateway();
    await gateway.graphql(
      'mutation { createAssetRepair(input: { asset: "LATHE-7", failureDate: "2026-11-20" }) { id } }',
    );
    browser = await openBrowser();
    await browser.page.goto(`${gateway.url}/graphql`);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  test('opens without a key, and its first query is refused without one', async () => {
    const { page } = browser;
    await page.getByRole('button', { name: /Execute query/ }).click();
    await result().getByText('UNAUTHENTICATED').waitFor();
    expect(await page.title()).toBe('Business Records · GraphiQL');
  });

  test('runs the query with a key pasted into its headers', async () => {
    const { page } = browser;
    const header = page.getByRole('region', { name: 'Headers' }).getByText(/^"Bearer.YOUR_API_KEY"$/);
    const { width = 0, height = 0 } = (await header.boundingBox()) ?? {};
    // A double click marks the word under it, towards the end of the text: YOUR_API_KEY.
    await header.dblclick({ position: { x: width * 0.7, y: height / 2 } });
    await page.keyboard.insertText(gateway.key);
    await page.getByRole('button', { name: /Execute query/ }).click();
    await result().getByText('LATHE-7').waitFor();
  });

  test('leaves the key nowhere in the browser', async () => {
    const kept = await browser.page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }]) + document.cookie',
    );
    expect(kept).not.toContain(gateway.key);
  });

  test('complained of nothing, and asked nobody else', () => {
    expect(browser.complaints).toEqual([]);
    const elsewhere = browser.requests.filter((url) => !url.startsWith('data:') && new URL(url).origin !== gateway.url);
    expect(elsewhere).toEqual([]);
    expect(browser.requests.length).toBeGreaterThan(4);
  });

  function result() {
    return browser.page.getByRole('region', { name: /Result/ });
  }
});
