/** Acting on many records at once, and taking a list along as a file. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey } from '../../src/features/keys/api-keys.js';
import type { TestGateway } from '../support/gateway.js';
import { seriousProblems } from './accessibility.js';
import { missing } from './browser.js';
import { press } from './press.js';
import { fitsOnPhone, overflow, signedIn, type Visit } from './visit.js';

const reason = missing();
if (reason) console.log(reason);

/** Records of the filter, of which every fortieth is submitted already. */
const completed = 280;
const all = 1_120;

describe.skipIf(reason)('many records at once', () => {
  const visit = signedIn({ env: { SEARCH: 'true' } });
  let gateway: TestGateway;
  let browser: Visit['browser'];
  let page: Page;
  let list: string;

  beforeAll(async () => {
    ({ gateway, browser } = visit());
    list = `${gateway.url}/records/asset-repair`;
    page = browser.page;
    const inputs = Array.from({ length: all }, (_, index) => ({
      asset: `SAW-${String(index).padStart(4, '0')}`,
      failureDate: '2026-11-20',
      repairStatus: index < completed ? 'Completed' : 'Pending',
      repairCost: index + 0.5,
      ...texts[index],
    }));
    const create =
      'mutation ($i: [CreateAssetRepairInput!]!) { createManyAssetRepairs(inputs: $i) { records { id } } }';
    const ids: string[] = [];
    for (let begin = 0; begin < all; begin += 100) {
      const { body } = await gateway.graphql(create, { i: inputs.slice(begin, begin + 100) });
      ids.push(...body.data.createManyAssetRepairs.records.map(({ id }: { id: string }) => id));
    }
    const submit = 'mutation ($ids: [ID!]) { actOnManyAssetRepairs(ids: $ids, action: SUBMIT) { moreAfter } }';
    await gateway.graphql(submit, { ids: ids.filter((_, index) => index < completed && index % 40 === 0) });
  });
  beforeEach(async () => {
    await page.goto('about:blank');
  });

  test('selects rows, ranges, pages and all that are found; pages keep it, another filter does not', async () => {
    await page.goto(`${list}?order=asset`);
    await press(row('SAW-0002'));
    await selected('1 selected');
    await page.keyboard.down('Shift');
    await press(row('SAW-0005'));
    await page.keyboard.up('Shift');
    await selected('4 selected');
    await press(button('Next'));
    // Until the next page is there, this one is shown, and would be selected.
    await row('SAW-0030').waitFor();
    await press(page.getByLabel('Select this page'));
    await selected('29 selected');
    await press(row('SAW-0030'));
    await selected('28 selected');
    await press(button('Previous'));
    await row('SAW-0003').waitFor();
    expect(await row('SAW-0003').isChecked()).toBe(true);
    expect(await row('SAW-0006').isChecked()).toBe(false);
    await press(button('Select all 1,120 that are found'));
    await selected('1,120 selected');
    await press(row('SAW-0006'));
    await selected('1,119 selected');
    await press(button('Next'));
    await row('SAW-0030').waitFor();
    expect(await row('SAW-0030').isChecked()).toBe(true);
    expect(await seriousProblems(page)).toEqual([]);
    await fitsOnPhone(page);
    await press(button('Select none'));
    await bar().waitFor({ state: 'detached' });
    await press(row('SAW-0030'));
    await page.getByLabel('Field').selectOption('asset');
    await page.getByLabel('Value').fill('SAW');
    await press(button('Filter'));
    await bar().waitFor({ state: 'detached' });
    expect(page.url()).toContain('records/asset-repair?');
  });

  test('submits all of a filter: tried first, with what would fail and why, then done, with a file of what did not work', async () => {
    // Without live changes, which would have the list read again, too.
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('subscription') ? route.abort() : route.continue(),
    );
    await page.goto(`${list}?where=repairStatus+eq+Completed&order=asset`);
    await press(row('SAW-0001'));
    await press(button('Select all 280 that are found'));
    await press(button('Submit…'));
    await dialog().getByText('273 would be submitted').waitFor();
    await dialog().getByText('280 of 280 tried').waitFor();
    await dialog()
      .getByText(/^7 · This Asset Repair is already submitted/)
      .waitFor();
    await dialog().getByText('SAW-0000, SAW-0040, SAW-0080').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await fitsOnPhone(page);
    expect(await count({ status: { eq: 'SUBMITTED' } })).toBe(7);
    await press(within('Submit 273'));
    await dialog().getByText('273 were submitted').waitFor();
    expect(await count({ status: { eq: 'SUBMITTED' } })).toBe(280);
    const file = await download(() => press(within('What did not work, as CSV')));
    expect(file.name).toBe('asset-repair-not-submitted.csv');
    const lines = file.text.split('\r\n');
    expect(lines[0]).toBe('id,name,reason');
    expect(lines).toHaveLength(9);
    expect(lines.slice(1, 8).map((line) => line.split(',')[1])).toEqual(
      [0, 40, 80, 120, 160, 200, 240].map((number) => `SAW-${String(number).padStart(4, '0')}`),
    );
    expect(lines[1]).toMatch(/^asset-repair_\w+,SAW-0000,"?This Asset Repair is already submitted\..*$/);
    await press(within('Close'));
    await bar().waitFor({ state: 'detached' });
    expect(await page.locator('tbody td[data-label="Status"]').allInnerTexts()).toEqual(Array(25).fill('submitted'));
    await page.unroute('**/graphql');
  });

  test('sets a field, is stopped, goes on, and is not left half-way without a question', async () => {
    await page.goto(`${list}?where=repairStatus+eq+Pending&order=asset`);
    await press(page.locator('.crumbs').getByRole('link', { name: 'Records' }));
    await press(page.getByRole('main').getByRole('link', { name: 'Asset Repair', exact: true }));
    await press(row('SAW-0300'));
    await press(button('Select all 840 that are found'));
    await press(row('SAW-0301'));
    await press(button('Set a field…'));
    expect(await seriousProblems(page)).toEqual([]);
    await dialog().getByLabel('Field').selectOption('repairCost');
    await dialog().getByLabel('Repair cost').fill('much');
    await press(within('Try it'));
    await dialog().locator('.problem').getByText('Repair cost must be a number', { exact: false }).waitFor();
    await dialog().getByLabel('Repair cost').fill('7');
    await press(within('Try it'));
    await dialog().getByText('839 would be changed').waitFor();
    await dialog().getByText('Submitted ones are changed, too', { exact: false }).waitFor();
    expect(await count({ repairCost: { eq: 7 } })).toBe(0);
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('actOnMany')) await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    await press(within('Change 839'));
    await dialog().getByText('100 of 839').waitFor();
    await press(within('Stop'));
    await within('Go on').waitFor();
    const changed = await count({ repairCost: { eq: 7 } });
    await dialog().getByText(`${changed} were changed`).waitFor();
    expect(changed).toBeLessThan(500);
    await press(within('Go on'));
    await page.evaluate('history.back()');
    await page.getByRole('dialog', { name: 'Stop half-way?' }).waitFor();
    await press(button('Stay here'));
    await dialog().getByText('839 were changed').waitFor();
    await page.unroute('**/graphql');
    expect(await count({ repairCost: { eq: 7 } })).toBe(839);
    const { body } = await gateway.graphql('{ assetRepairs(where: { repairCost: { eq: 7 } }) { nodes { version } } }');
    expect(new Set(body.data.assetRepairs.nodes.map(({ version }: { version: number }) => version))).toEqual(
      new Set([2]),
    );
  });

  test('sends a call again whose answer was lost, and it happens once', async () => {
    await page.goto(`${list}?where=repairStatus+eq+Completed&order=asset`);
    await press(row('SAW-0001'));
    await press(row('SAW-0002'));
    await press(button('Cancel…'));
    await dialog().getByText('2 would be cancelled').waitFor();
    const keys: (string | undefined)[] = [];
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('actOnMany')) return route.continue();
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 1) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await press(within('Cancel 2'));
    await dialog().getByText('2 were cancelled').waitFor();
    await page.unroute('**/graphql');
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(await within('What did not work, as CSV').count()).toBe(0);
  });

  test('deletes what a search finds, by the keyboard alone', async () => {
    await page.goto(`${list}?search=rust&order=asset`);
    await row('SAW-0700').press('Space');
    await button('Select all 3 that are found').press('Enter');
    await selected('3 selected');
    await button('Delete…').press('Enter');
    await dialog().getByText('3 would be deleted').waitFor();
    await dialog().getByText('With their lines, for good.').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Keep');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await dialog().getByText('3 were deleted').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('No record fulfils these filters.').waitFor();
    expect(await count({})).toBe(all - 3);
  });

  test('writes all that a list shows to a file, as CSV and as JSON', async () => {
    await page.goto(`${list}?order=repairCost&columns=asset,status,description,repairCost`);
    const csv = await exported('CSV');
    expect(csv.name).toBe('asset-repair.csv');
    const lines = csv.text.split('\r\n');
    expect(lines[0]).toBe('Id,"Asset name",Asset,Status,Description,"Repair cost"');
    expect(lines).toHaveLength(all - 3 + 2);
    expect(lines[1]).toMatch(/^asset-repair_\w+,,SAW-0000,submitted,,0.5$/);
    const row = (asset: string) => lines.find((line) => line.includes(asset))?.replace(/^[\w-]+,,/, '');
    expect(row('SAW-0010')).toBe('SAW-0010,submitted,"Say ""no"", twice",10.5');
    expect(row('SAW-0011')).toBe('SAW-0011,submitted,=1+1,11.5');
    expect(row('SAW-0012')).toBe('SAW-0012,submitted,"",12.5');
    const json = await exported('JSON');
    expect(json.name).toBe('asset-repair.json');
    const records = JSON.parse(json.text);
    expect(records).toHaveLength(all - 3);
    expect(records[0]).toEqual({
      id: expect.any(String),
      asset: 'SAW-0000',
      assetName: null,
      status: 'SUBMITTED',
      description: null,
      repairCost: 0.5,
    });
    expect(new Set(records.map(({ id }: { id: string }) => id)).size).toBe(all - 3);
    await page.goto(`${list}?search=saw+twice`);
    const found = await exported('CSV');
    expect(found.text.split('\r\n')).toHaveLength(3);
    await page.goto(`${list}?search=saw&where=repairStatus+eq+Pending`);
    expect(
      (await exported('JSON', async () => expect(await seriousProblems(page)).toEqual([]))).text.split('\n'),
    ).toHaveLength(837 + 3);
  });

  test('stops an export', async () => {
    await page.goto(list);
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('endCursor')) await new Promise((resolve) => setTimeout(resolve, 400));
      await route.continue();
    });
    await press(button('Export'));
    await press(page.getByRole('menuitem', { name: 'CSV' }));
    await dialog()
      .getByText(/^100 of/)
      .waitFor();
    await press(within('Stop'));
    await dialog().waitFor({ state: 'detached' });
    const before = browser.requests.length;
    await page.waitForTimeout(1_500);
    expect(browser.requests.slice(before)).toEqual([]);
    await page.unroute('**/graphql');
  });

  test('offers what the key may do, and no selection where that is nothing', async () => {
    for (const [scopes, offered] of [
      [['assets:read'], []],
      [['assets:read', 'assets:write'], ['Set a field…']],
    ] as const) {
      const { secret } = await createKey(gateway.database, { name: 'Reader', scopes: [...scopes] });
      const other = await browser.openPage();
      await other.goto(`${list}#key=${secret}`);
      await other.getByRole('button', { name: 'Export' }).waitFor();
      await other.locator('.pager').getByText('1,117 in all').waitFor();
      await other.waitForTimeout(500);
      const boxes = other.locator('tbody .pick input');
      expect(await boxes.count()).toBe(offered.length > 0 ? 25 : 0);
      if (offered.length > 0) {
        await press(boxes.first());
        await other.locator('.many-bar').waitFor();
        const names = await other.locator('.many-bar button').allInnerTexts();
        expect(names.filter((name) => name.endsWith('…'))).toEqual(offered);
      }
      await other.context().close();
    }
  });

  test('fits on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(list);
    await press(page.getByLabel('Select SAW-1119'));
    await selected('1 selected');
    expect(await overflow(page)).toBe(0);
    expect(await seriousProblems(page)).toEqual([]);
    await page.setViewportSize({ width: 1100, height: 850 });
  });

  test('logged no errors', () => {
    expect(browser.complaints).toEqual([]);
  });

  const texts: Record<number, { description: string }> = {
    10: { description: 'Say "no", twice' },
    11: { description: '=1+1' },
    12: { description: '' },
    700: { description: 'rust' },
    701: { description: 'rust' },
    702: { description: 'rusty' },
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const row = (asset: string) => page.getByLabel(`Select ${asset}`, { exact: true });
  const bar = () => page.getByRole('region', { name: 'Selected records' });
  const selected = (words: string) => bar().getByText(words, { exact: true }).waitFor();
  const dialog = () => page.getByRole('dialog');
  const within = (name: string) => dialog().getByRole('button', { name, exact: true });
  const count = async (where: object): Promise<number> => {
    const query = 'query ($where: AssetRepairFilter) { assetRepairs(where: $where, first: 0) { totalCount } }';
    return (await gateway.graphql(query, { where })).body.data.assetRepairs.totalCount;
  };
  const download = async (act: () => Promise<void>) => {
    const [file] = await Promise.all([page.waitForEvent('download'), act()]);
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
  };
  const exported = (format: string, then: () => unknown = () => undefined) =>
    download(async () => {
      await press(button('Export'));
      await press(page.getByRole('menuitem', { name: format }));
      await dialog().getByText('They are in').waitFor();
      await then();
      await press(within('Close'));
    });
});
