/** Each record type can be made, opened, changed, deleted and brought back by somebody who only looks at the pages. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { allResources } from '../../src/model/resources.js';
import type { TestGateway } from '../support/gateway.js';
import { missing } from './browser.js';
import { press } from './press.js';
import { signedIn, type Visit } from './visit.js';

const reason = missing();
if (reason) console.log(reason);

const made = allResources.filter(({ kind }) => kind === 'resource');
const only = allResources.filter(({ kind }) => kind === 'singleton');

describe.skipIf(reason)('somebody who knows only the pages', () => {
  const visit = signedIn();
  let gateway: TestGateway;
  let browser: Visit['browser'];
  let page: Page;

  beforeAll(() => {
    ({ gateway, browser } = visit());
    page = browser.page;
  });

  test.each(made.map(({ slug, title }) => ({ slug, title })))(
    'makes, changes, deletes and brings back a record of $title',
    async ({ slug, title }) => {
      await page.goto(`${gateway.url}/records/${slug}`);
      await press(page.getByRole('link', { name: `New ${title}` }));
      await page.getByRole('heading', { name: `New ${title}` }).waitFor();
      for (const field of await page.locator('.form-fields .field:has(label > span)').all()) {
        await fill(field);
      }
      await press(button('Create…'));
      await press(page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }));
      await button('Edit').waitFor();
      const address = page.url();
      await press(button('Edit'));
      const typed = page.locator('.form-groups input:not([aria-hidden]):not([inputmode]):not([role])').last();
      await typed.fill('2026-11-21');
      await press(button('Save…'));
      await press(page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }));
      await page.getByText('Saved as version 2.').waitFor();
      await press(button('Delete…'));
      await press(page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }));
      await expect.poll(() => page.url()).toBe(`${gateway.url}/records/${slug}`);
      await press(button('Undo').last());
      await page.getByText(/^Made again/).waitFor();
      expect(page.url()).not.toBe(address);
      expect(await page.getByText('2026-11-21').count()).toBeGreaterThan(0);
    },
  );

  test.each(only.map(({ slug, title }) => ({ slug, title })))('changes $title', async ({ slug }) => {
    await page.goto(`${gateway.url}/records/${slug}`);
    await press(button('Edit'));
    await fill(page.locator('.form-groups .field:has(input)').first());
    await press(button('Save…'));
    await press(page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }));
    await page.getByText('Saved as version 2.').waitFor();
  });

  test('no page logged an error', () => {
    expect(browser.complaints).toEqual([]);
  });

  /** Chooses, or types what the control is for. */
  async function fill(field: Locator): Promise<void> {
    const control = field.locator('input, select, textarea').first();
    if ((await control.evaluate((each) => each.tagName)) === 'SELECT') await control.selectOption('true');
    else if (await control.getAttribute('inputmode')) await control.fill('7');
    else await control.fill((await field.getByLabel('Choose a date').count()) > 0 ? '2026-11-20' : 'A word');
  }
  const button = (name: string) => page.getByRole('button', { name, exact: true });
});
