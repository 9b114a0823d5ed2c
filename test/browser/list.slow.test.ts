/** Finding records on a list: each way as people do it, and all of it in the address. */
import type { Route } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { seriousProblems } from './accessibility.js';
import { missing } from './browser.js';
import { draw, holdDown, press } from './press.js';
import { overflow, signedIn, type Visit } from './visit.js';

const reason = missing();
if (reason) console.log(reason);

const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10);

describe.skipIf(reason)('a list of records', () => {
  const visit = signedIn({ env: { SEARCH: 'true' } });
  let gateway: TestGateway;
  let browser: Visit['browser'];
  let list: string;

  beforeAll(async () => {
    ({ gateway, browser } = visit());
    list = `${gateway.url}/records/quotation`;
    await browser.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const [customer, transactionDate, currency, grandTotal] of [
      ['Adams Mill', days(0), 'EUR', 1200.5],
      ['Baker Forge', days(40), 'EUR', 99],
      ['Carter Boats', days(800), 'USD', 7.125],
      ['Dyer Looms', 'tomorrow', 'USD', 50],
    ] as const) {
      const prices = {
        conversionRate: 1,
        sellingPriceList: 'Standard',
        priceListCurrency: 'EUR',
        plcConversionRate: 1,
      };
      const input = { ...prices, customerName: customer, company: 'ACME', transactionDate, currency, grandTotal };
      const { body } = await gateway.graphql(
        'mutation ($input: CreateQuotationInput!) { createQuotation(input: $input) { record { id } } }',
        { input },
      );
      expect(body.errors).toBeUndefined();
    }
  });
  beforeEach(async () => {
    await browser.page.goto('about:blank');
    await browser.page.goto(list);
    await said('4 in all');
  });

  test('shows amounts in the currency of the record, their points below each other, and totals by currency', async () => {
    const { page } = browser;
    await press(heading('Customer name'));
    await expect.poll(names).toEqual(['Adams Mill', 'Baker Forge', 'Carter Boats', 'Dyer Looms']);
    const cells = page.locator('tbody td[data-label="Grand total"]');
    expect(await cells.allInnerTexts()).toEqual(['EUR 1,200.500', 'EUR 99.000', 'USD 7.125', 'USD 50.000']);
    const right = await cells.evaluateAll((all) =>
      all.map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return Math.round(range.getBoundingClientRect().right);
      }),
    );
    expect(new Set(right).size).toBe(1);
    await expect
      .poll(() => page.locator('tfoot td[data-label="Grand total"] div').allInnerTexts())
      .toEqual(['EUR 1,299.500', 'USD 57.125']);
    expect(await seriousProblems(page)).toEqual([]);
  });

  test('is filtered by dates: on, before, after, between, in this month; and by all or any of several', async () => {
    const { page } = browser;
    const filter = async (comparison: string, ...values: string[]) => {
      await page.goto(list);
      await page.getByLabel('Field').selectOption('transactionDate');
      await page.getByLabel('Comparison').selectOption({ label: comparison });
      for (const [index, value] of values.entries()) await page.getByLabel(['Value', 'And'][index] ?? '').fill(value);
      await press(button('Filter'));
      await page.getByLabel('Remove this filter').first().waitFor();
      await said(/^[12] in all/);
      return names();
    };
    expect(await filter('is on', days(40))).toEqual(['Baker Forge']);
    expect(await filter('is before', days(40))).toEqual(['Carter Boats']);
    expect(await filter('is after', days(40))).toEqual(['Adams Mill']);
    expect(await filter('is between', days(800), days(40))).toEqual(['Carter Boats', 'Baker Forge']);
    expect(await filter('is in this month')).toEqual(['Adams Mill']);
    await page.getByLabel('Field').selectOption('grandTotal');
    await page.getByLabel('Comparison').selectOption('lt');
    await page.getByLabel('Value').fill('8');
    await press(button('Filter'));
    await said('0 in all');
    await page.getByLabel('How many of the filters').selectOption('any');
    await said('2 in all');
    await page.reload();
    await said('2 in all');
    expect(await names()).toEqual(['Carter Boats', 'Adams Mill']);
  });

  test('has the columns that somebody chooses, in their order and as wide, also after a reload', async () => {
    const { page } = browser;
    await press(button('Columns'));
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByLabel('Add a column').selectOption('currency');
    await press(button('Currency: before the one above'));
    await press(button('Status: leave it out'));
    await press(button('Show these columns'));
    const headings = () => page.locator('thead th button').allInnerTexts();
    await expect.poll(headings).toContain('Currency');
    expect(await headings()).not.toContain('Status');
    expect((await headings()).slice(-2)).toEqual(['Currency', 'Updated at']);
    const before = await width('Currency');
    await draw(page, page.locator('th:has-text("Currency") .widener'), 60);
    await expect.poll(() => width('Currency')).toBe(before + 60);
    await page.reload();
    await expect.poll(() => width('Currency')).toBe(before + 60);
    expect(await headings()).not.toContain('Status');
  });

  test('finds words, keeps what it shows as a view, and shows that by its link', async () => {
    const { page } = browser;
    await page.getByLabel('Search', { exact: true }).fill('bak');
    await said('1 in all');
    expect(await names()).toEqual(['Baker Forge']);
    await press(button('Views'));
    await press(page.getByRole('menuitem', { name: 'Keep this view…' }));
    await page.getByLabel('Name', { exact: true }).fill('Forges');
    await press(button('Keep it'));
    await button('Forges').waitFor();
    const address = page.url();
    await press(button('Forges'));
    await press(page.getByRole('menuitem', { name: 'Copy its link' }));
    await page.getByText('sees the same list').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(address);
    // On an origin that is not safe there is no clipboard, and that is said, too.
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await press(button('Forges'));
    await press(page.getByRole('menuitem', { name: 'Copy its link' }));
    await page.getByText('Not copied: the browser forbids it').first().waitFor();
    await page.goto(list);
    await said('4 in all');
    await press(button('Views'));
    await press(page.getByRole('menuitem', { name: 'Forges' }));
    await said('1 in all');
    await page.goto('about:blank');
    await page.goto(address);
    await said('1 in all');
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('bak');
  });

  test('opens a record where its row is pressed, and lists it as recent, and as starred', async () => {
    const { page } = browser;
    const row = page.getByRole('row', { name: /Carter Boats/ });
    await press(row.getByRole('button', { name: 'Star it' }));
    await row.getByRole('button', { name: 'Take its star away' }).waitFor();
    await press(row.locator('td[data-label="Company"]'));
    await page.getByRole('heading', { name: 'Carter Boats' }).waitFor();
    await press(page.getByRole('navigation').getByRole('link', { name: 'Records', exact: true }));
    for (const place of ['Starred', 'Recent']) {
      await page.getByRole('region', { name: place }).getByRole('link', { name: 'Carter Boats' }).waitFor();
    }
    expect(await seriousProblems(page)).toEqual([]);
    // What else may stand there, such as what another version has kept, does no harm.
    const kept = 'Object.keys(localStorage)';
    const text = await page.evaluate('JSON.stringify(localStorage)');
    await page.evaluate(`${kept}.forEach((name) => localStorage.setItem(name, '[null, 1, {"slug": "quotation"}]'))`);
    await page.reload();
    await page.getByRole('heading', { name: 'Records', exact: true }).waitFor();
    await page.evaluate(`Object.assign(localStorage, ${text})`);
    // No value of a record stays on the disk.
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('Carter');
  });

  test('shows what others change at once, and marks it', async () => {
    const { page } = browser;
    await page.waitForTimeout(1500);
    await changeTotal(51);
    const row = page.getByRole('row', { name: /Dyer Looms/ });
    await row.getByText('changed', { exact: true }).waitFor();
    await page.getByRole('status').getByText('Just now: 1 changed').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    // What was slow to be read, as on a busy machine, is read again after thirty times as long.
    await row.getByText('USD 51').waitFor({ timeout: 120_000 });
  });

  test('moves no row away under a press', async () => {
    const { page } = browser;
    await press(heading('Customer name'));
    await press(heading('Grand total'));
    await press(heading('Grand total'));
    await expect.poll(async () => (await names())[0]).toBe('Adams Mill');
    const held: Route[] = [];
    let isHeld = true;
    await page.route('**/graphql', (route) =>
      isHeld && /quotations\(/.test(route.request().postData() ?? '') ? void held.push(route) : route.continue(),
    );
    await changeTotal(5000);
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await holdDown(page.getByRole('row', { name: /Adams Mill/ }).locator('td[data-label="Company"]'), async () => {
      isHeld = false;
      for (const route of held) await route.continue();
      await page.waitForTimeout(400);
    });
    await page.getByRole('heading', { name: 'Adams Mill' }).waitFor();
    await page.unroute('**/graphql');
    await page.goBack();
    await expect.poll(async () => (await names())[0]).toBe('Dyer Looms');
    await changeTotal(50);
  });

  test('is used by the keyboard alone', async () => {
    const { page } = browser;
    await heading('Customer name').press('Enter');
    await expect.poll(async () => (await names())[0]).toBe('Adams Mill');
    await heading('Customer name').press('Enter');
    await expect.poll(async () => (await names())[0]).toBe('Dyer Looms');
    await button('Columns').press('Enter');
    await page.getByLabel('Customer name: width').fill('240');
    await button('Show these columns').press('Enter');
    await expect.poll(() => width('Customer name')).toBe(240);
    await page.getByRole('link', { name: 'Baker Forge' }).press('Enter');
    await page.getByRole('heading', { name: 'Baker Forge' }).waitFor();
  });

  test('has pages with numbers and sizes, and scrolls through thousands of rows', async () => {
    const { page } = browser;
    const inputs = Array.from({ length: 100 }, (_, index) => ({ asset: `SAW-${index}`, failureDate: days(index) }));
    const create =
      'mutation ($i: [CreateAssetRepairInput!]!) { createManyAssetRepairs(inputs: $i) { records { id } } }';
    for (let round = 0; round < 30; round++) await gateway.graphql(create, { i: inputs });
    await page.goto(`${gateway.url}/records/asset-repair`);
    await said('3,000 in all');
    await press(button('Page 120'));
    await expect.poll(() => page.url()).toContain('page=120');
    await page.locator('[aria-current="page"]').getByText('120').waitFor();
    await page.getByLabel('Rows on a page').selectOption('10000');
    await page.locator('table[aria-rowcount="3001"]').waitFor();
    expect(await page.locator('tbody tr').count()).toBeLessThan(100);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await page.locator('tr[aria-rowindex="3001"] a').waitFor();
    expect(await page.locator('tbody tr').count()).toBeLessThan(100);
    expect(await overflow(page)).toBe(0);
    expect(await seriousProblems(page)).toEqual([]);
  });

  test('says where the gateway has no index of words', async () => {
    const plain = await startGateway();
    try {
      const page = await browser.openPage();
      await page.goto(`${plain.url}/records/quotation#key=${plain.key}`);
      await page.getByLabel('Search', { exact: true }).fill('mill');
      await page.getByText('keeps no index of words (SEARCH=false)').waitFor();
      await page.context().close();
    } finally {
      await plain.close();
    }
  });

  test('logged no errors', () => {
    expect(browser.complaints).toEqual([]);
  });

  /** Somebody else changes the total of Dyer Looms. */
  async function changeTotal(grandTotal: number) {
    const { body } = await gateway.graphql(
      '{ quotations(where: { customerName: { startsWith: "Dyer" } }) { nodes { id } } }',
    );
    const [{ id }] = body.data.quotations.nodes;
    await gateway.graphql(
      'mutation ($id: ID!, $input: UpdateQuotationInput!) { updateQuotation(id: $id, input: $input) { record { id } } }',
      { id, input: { grandTotal } },
    );
  }

  const button = (name: string) => browser.page.getByRole('button', { name, exact: true });
  const heading = (name: string) => browser.page.locator('thead').getByRole('button', { name, exact: true });
  const said = (words: string | RegExp) => browser.page.locator('.pager').getByText(words).waitFor();
  const names = () => browser.page.locator('.rows tbody th').allInnerTexts();
  const width = async (name: string) =>
    Math.round((await browser.page.locator(`th:has(button:text-is("${name}"))`).boundingBox())?.width ?? 0);
});
