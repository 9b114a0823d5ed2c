/** A day at the records by the keyboard alone: find, make with lines, submit, act on many, export, delete and undo. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { missing } from './browser.js';
import { signedIn, type Visit } from './visit.js';

const reason = missing();
if (reason) console.log(reason);

/** What the element with the focus is called, as screen readers say it. */
const named = `(() => {
  const one = document.activeElement;
  const by = one.getAttribute('aria-labelledby')?.split(' ').map((id) => document.getElementById(id)?.textContent);
  const text = one.getAttribute('aria-label') ?? by?.join(' ') ?? one.labels?.[0]?.textContent ?? one.textContent;
  return text.replace('*', '').trim();
})()`;

describe.skipIf(reason).each(['sqlite', 'postgresql'] as const)('a day without a mouse, on %s', (database) => {
  const visit = signedIn({ database, env: { SEARCH: 'true' } });
  let gateway: TestGateway;
  let browser: Visit['browser'];
  let page: Page;

  beforeAll(async () => {
    ({ gateway, browser } = visit());
    const inputs = Array.from({ length: 60 }, (_, index) => ({
      asset: `SAW-${String(index).padStart(2, '0')}`,
      failureDate: '2026-11-20',
      company: index % 2 ? 'ACME' : 'Looms',
    }));
    await gateway.graphql(
      'mutation ($inputs: [CreateAssetRepairInput!]!) { createManyAssetRepairs(inputs: $inputs) { records { id } } }',
      { inputs },
    );
    page = browser.page;
  });

  test('makes a record with two lines in one save', async () => {
    await go('Records');
    await go('Asset Repair');
    await go('New Asset Repair');
    await page.getByRole('heading', { name: 'New Asset Repair' }).waitFor();
    await type('Asset', 'PRESS-1');
    await type('Failure date', '2026-11-21');
    await type('Company', 'ACME');
    for (const [line, item] of [
      [1, 'SEAL'],
      [2, 'OIL'],
    ]) {
      await go('Add a line');
      await expect.poll(() => page.evaluate(named)).toBe(`Item code, line ${line}`);
      await page.keyboard.type(String(item));
      await type(`Warehouse, line ${line}`, 'Stores');
    }
    await page.keyboard.press('Control+s');
    await page.getByRole('dialog').getByText('Consumed items: 2 added').waitFor();
    await go('Create');
    await page.getByRole('heading', { name: 'PRESS-1' }).waitFor();
    await page.getByRole('region', { name: 'Consumed items' }).getByText('OIL').waitFor();
  });

  test('submits it', async () => {
    await go('Submit…');
    await go('Submit');
    await page.getByRole('heading', { name: 'PRESS-1' }).getByText('submitted').waitFor();
  });

  test('finds those of one company, and sets a field of all of them, over two pages', async () => {
    await go('Asset Repair');
    await type('Search', 'acme');
    await said('31 in all');
    await go('Select this page', 'Space');
    await go('Select all 31 that are found');
    await page.getByText('31 selected').waitFor();
    await go('Set a field…');
    await type('Field', 'Repair status');
    await type('Repair status', 'Completed');
    await go('Try it');
    await page.getByText('31 would be changed').waitFor();
    expect(await completed()).toBe(0);
    await go('Change 31');
    await page.getByText('31 were changed').waitFor();
    expect(await completed()).toBe(31);
    await go('Close');
  });

  test('takes what the list shows to a spreadsheet', async () => {
    await go('Export');
    await page.getByRole('menuitem', { name: 'CSV' }).waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(32);
    await go('Close');
  });

  test('deletes one, and takes that back', async () => {
    const [, name = ''] = await page.locator('tbody th a').allInnerTexts();
    await go(name);
    await page.getByRole('heading', { name }).waitFor();
    await go('Delete…');
    await go('Delete');
    await page.getByText('Deleted', { exact: true }).waitFor();
    await page.keyboard.press('F6');
    await go('Undo');
    await page.getByText(/^Made again as a draft/).waitFor();
    await page.getByRole('heading', { name }).waitFor();
  });

  test('no page logged an error', () => {
    expect(browser.complaints).toEqual([]);
  });

  const completed = async () => {
    const query = '{ assetRepairs(where: { repairStatus: { eq: "Completed" } }) { totalCount } }';
    return (await gateway.graphql(query)).body.data.assetRepairs.totalCount;
  };
  const said = (words: string) => page.locator('.pager').getByText(words).waitFor();

  /** Tabs on to what is called so, and presses a key there. */
  async function go(name: string, key: 'Enter' | 'Space' | undefined = 'Enter'): Promise<void> {
    await reach(name);
    if (key) await page.keyboard.press(key);
  }

  async function type(name: string, text: string): Promise<void> {
    await reach(name);
    await page.keyboard.type(text);
  }

  async function reach(name: string): Promise<void> {
    // What is loaded later may come to stand where the keyboard has been.
    for (let step = 0; step < 400; step++) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate(named)) === name) return;
    }
    throw new Error(`The keyboard does not reach “${name}”.`);
  }
});
