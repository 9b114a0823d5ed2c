/** What stood in the way of people who work with the records: each is tried as they do it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callerWith } from '../access/keys.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { seriousProblems } from './accessibility.js';
import { missing, openBrowser } from './browser.js';
import { press } from './press.js';
import { overflow } from './visit.js';

const reason = missing();
if (reason) console.log(reason);

describe.skipIf(reason)('somebody who works with the records', () => {
  let gateway: TestGateway;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let id: string;

  beforeAll(async () => {
    gateway = await startGateway();
    browser = await openBrowser();
    browser.page.setDefaultTimeout(20_000);
    for (const asset of ['LATHE-7', 'Interchangeable-workpiece-pallet-0098']) await create(asset);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });
  beforeEach(async () => {
    id = await create('SAW-1');
    await signInWith(gateway.key);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(await browser.whatIsSeen());
  });

  test.each([360, 768, 1440, 1920])('needs no scrolling sideways at %i px, and reads whole words', async (width) => {
    const { page } = browser;
    await page.setViewportSize({ width, height: 900 });
    for (const path of ['records/asset-repair', `records/asset-repair/${id}`]) {
      await page.goto(`${gateway.url}/${path}`);
      await page.getByText('SAW-1').first().waitFor();
      expect(await overflow(page)).toBe(0);
      expect(await page.evaluate(scrolledSideways)).toEqual([]);
      expect(await page.evaluate(brokenWords)).toEqual([]);
      expect(await page.evaluate(smallTargets)).toEqual([]);
      expect((await page.locator('.who span').boundingBox())?.width).toBeGreaterThan(40);
    }
  });

  test('comes back to the list as it was: by the breadcrumb, after a reload, and after a delete', async () => {
    const { page } = browser;
    const list = `${gateway.url}/records/asset-repair?where=asset+eq+SAW-1&order=asset`;
    await page.goto(list);
    const open = async () => press(page.locator('.rows tbody a').first());
    await open();
    await press(page.getByRole('link', { name: 'Asset Repair' }));
    await expect.poll(() => page.url()).toBe(list);
    await open();
    await button('Delete…').waitFor();
    await page.reload();
    await press(page.getByRole('link', { name: 'Asset Repair' }));
    await expect.poll(() => page.url()).toBe(list);
    await open();
    await press(button('Delete…'));
    const dialog = page.getByRole('dialog', { name: 'Delete this Asset Repair?' });
    await dialog.getByText('It would change').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await press(dialog.getByRole('button', { name: 'Keep' }));
    await dialog.waitFor({ state: 'detached' });
    await press(button('Delete…'));
    await press(dialog.getByRole('button', { name: 'Delete' }));
    await page.getByRole('region', { name: 'What has happened' }).getByText('Deleted').waitFor();
    expect(page.url()).toBe(list);
    expect(await seriousProblems(page)).toEqual([]);
  });

  test('writes a date as text, is warned, chooses a day from the calendar, and a value from those that are known', async () => {
    const { page } = browser;
    await page.goto(`${gateway.url}/records/asset-repair/${id}`);
    await press(button('Edit'));
    const date = page.getByLabel(/^Failure date/);
    await date.fill('tomorrow');
    const warning = page.getByText('This is no date like 2026-03-31.');
    await warning.waitFor();
    expect(await date.getAttribute('aria-describedby')).toContain(await warning.getAttribute('id'));
    await press(button('Choose a date').first());
    // The calendar is the browser's own. It begins with today.
    await page.keyboard.press('Enter');
    await expect.poll(() => date.inputValue()).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(await page.locator('.warning:not(:empty)').count()).toBe(0);
    const status = page.getByLabel('Repair status', { exact: true });
    await press(status);
    await page.getByRole('option', { name: 'Completed' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await press(page.getByRole('option', { name: 'Completed' }));
    expect(await status.inputValue()).toBe('Completed');
    await status.fill('Waiting for parts');
    await press(button('Save…'));
    await press(page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }));
    await page.getByText('Saved as version 2.').waitFor();
    const { failure_date, repair_status } = (await gateway.rest('GET', `/api/assets/asset-repair/${id}`)).body;
    expect([failure_date, repair_status]).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d$/), 'Waiting for parts']);
  });

  test('is told who they are, and what a key that only reads is not for, without being sent in circles', async () => {
    const { page } = browser;
    const { secret } = await callerWith(gateway, 'assets:read');
    await signInWith(secret);
    await page.goto(`${gateway.url}/signed-in`);
    await page.getByText('You are signed in as a test.').waitFor();
    await page.goto(gateway.url);
    await page.getByRole('button', { name: 'a test' }).waitFor();
    await page.getByRole('img', { name: /draft/ }).first().waitFor();
    expect(await button('Try again').count()).toBe(0);
    await press(page.getByRole('link', { name: 'Records', exact: true }));
    await page.getByText('other record types are not listed').waitFor();
    expect(await page.locator('main .area h2').allInnerTexts()).toEqual(['Assets']);
    await page.goto(`${gateway.url}/records/quotation`);
    await page.getByRole('alert').getByText('lacks the scope `crm:read`').waitFor();
    expect(await button('Try again').count()).toBe(0);
    await page.goto(`${gateway.url}/records/asset-repair/${id}`);
    await button('Edit').waitFor();
    await button('Edit').focus();
    await page.locator('.tooltip').getByText('lacks the scope `assets:write`').waitFor();
    expect(await button('Edit').isDisabled()).toBe(true);
    await button('Edit').press('Enter');
    expect(await button('Save…').count()).toBe(0);
    expect(await seriousProblems(page)).toEqual([]);
  });

  test('gets a key that works by the command that the sign-in names', async () => {
    const { page } = browser;
    await press(button('Sign out'));
    const command = await page.locator('.sign-in code').textContent();
    const [, name = '', scopes = ''] = /^records keys create "(.+)" --scopes '(.+)'$/.exec(command ?? '') ?? [];
    const project = join(import.meta.dirname, '../..');
    const args = ['--import', 'tsx', 'src/main.ts', 'keys', 'create', name, '--scopes', scopes];
    const env = { ...process.env, DATABASE_URL: gateway.config.databaseUrl };
    const { stdout } = spawnSync(process.execPath, args, { cwd: project, env, encoding: 'utf8' });
    await page.getByLabel('API key').fill(/brg_\w+_\w+/.exec(stdout)?.[0] ?? '');
    await press(button('Sign in'));
    await page.getByRole('button', { name: 'My key' }).waitFor();
  });

  test('asks nothing of another origin, and no page logged an error', () => {
    expect(browser.requests.filter((url) => !/^(data|about|blob):/.test(url) && !url.startsWith(gateway.url))).toEqual(
      [],
    );
    expect(browser.complaints).toEqual([]);
  });

  const button = (name: string) => browser.page.getByRole('button', { name, exact: true });

  async function create(asset: string): Promise<string> {
    const body = {
      asset,
      failure_date: '2026-11-20',
      asset_name: 'Interchangeable workpiece pallet of the milling centre',
    };
    return (await gateway.rest('POST', '/api/assets/asset-repair', body)).body.id;
  }

  async function signInWith(key: string) {
    const { page } = browser;
    await page.goto('about:blank');
    await page.evaluate('sessionStorage.clear()').catch(() => undefined);
    await page.goto(gateway.url);
    if (
      await button('Sign out')
        .isVisible()
        .catch(() => false)
    )
      await press(button('Sign out'));
    await page.goto('about:blank');
    await page.goto(`${gateway.url}/#key=${key}`);
    await button('Sign out').waitFor();
  }
});

/** What people would have to scroll sideways to read. */
const scrolledSideways = `[...document.querySelectorAll('main *')].filter((one) => one.clientWidth > 1
  && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible' && one.tagName !== 'INPUT')
  .map((one) => one.className)`;

/** Words of tables that stand on two lines, though no word is longer than a column may be wide. */
const brokenWords = `[...document.querySelectorAll('.rows :is(td, th)')].flatMap((cell) => {
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const { index, 0: word } of node.data.matchAll(/[A-Za-z0-9]{2,25}/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
    }
  }
  return found;
})`;

/** Buttons that a finger misses (WCAG 2.2: 24 px). */
const smallTargets = `[...document.querySelectorAll('button, select, input, .button')].filter((one) => one.checkVisibility()
  && !one.closest('[aria-hidden]') && !one.matches('[aria-hidden]'))
  .filter((one) => { const { width, height } = one.getBoundingClientRect(); return width < 24 || height < 24; })
  .map((one) => one.outerHTML.slice(0, 100))`;
