/** The one search over everything: by the mouse, by the keyboard alone, and with what somebody may not read. */
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callerWith } from '../access/keys.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { seriousProblems } from './accessibility.js';
import { missing, openBrowser } from './browser.js';
import { press } from './press.js';
import { overflow } from './visit.js';

const reason = missing();
if (reason) console.log(reason);

describe.skipIf(reason).each(['true', 'false'])('one search over everything, SEARCH=%s', (SEARCH) => {
  let gateway: TestGateway;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let repair: string;
  const inIndex = test.runIf(SEARCH === 'true');

  beforeAll(async () => {
    gateway = await startGateway({ env: { SEARCH } });
    repair = await created('/api/assets/asset-repair', { asset: 'LATHE-7 of Repton', failure_date: '2026-11-20' });
    await created('/api/stock/serial-no', { serial_no: 'REPTON-3', item_code: 'GEAR', company: 'ACME' });
    browser = await openBrowser();
    browser.page.setDefaultTimeout(20_000);
    await signIn(gateway.key);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });
  beforeEach(async () => {
    await browser.page.goto('about:blank');
    await browser.page.goto(`${gateway.url}/records`);
    await browser.page.getByRole('heading', { name: 'Records', exact: true }).waitFor();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(await browser.whatIsSeen());
  });

  inIndex('finds records, types and pages, and opens each by the mouse', async () => {
    const { page } = browser;
    await press(button());
    const place = async () => (await page.getByRole('listbox').boundingBox())?.y;
    const before = await place();
    await field().fill('rep');
    await page.getByText('Searching…').waitFor();
    expect(await place()).toBe(before);
    await expect.poll(() => found('Records')).toEqual(['REPTON-3 Serial No', 'LATHE-7 of Repton Asset Repair']);
    expect(await place()).toBe(before);
    expect(await found('Types')).toContain('Asset Repair Records');
    expect((await found('Types')).length).toBeLessThan(7);
    expect(await seriousProblems(page)).toEqual([]);
    await press(option('LATHE-7 of Repton'));
    await page.getByRole('heading', { name: 'LATHE-7 of Repton' }).waitFor();
    expect(page.url()).toBe(`${gateway.url}/records/asset-repair/${repair}`);
    expect(await focused()).toBe('MAIN');
    await press(button());
    await field().fill('map');
    await press(option('Map'));
    await page.getByRole('heading', { name: 'Map of the records' }).waitFor();
    await press(button());
    await field().fill('graphi');
    await press(option('GraphiQL'));
    await page.locator('.graphiql-query-editor .view-line').first().waitFor();
  });

  inIndex('is used by the keyboard alone, and gives the keyboard back', async () => {
    const { page } = browser;
    const link = page.locator('main a').nth(3);
    await link.focus();
    const text = await link.textContent();
    await page.keyboard.press('Control+k');
    await field().waitFor();
    await page.keyboard.type('repton gear');
    await expect.poll(() => found('Records')).toEqual(['REPTON-3 Serial No']);
    await page.keyboard.press('Escape');
    await field().waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(text);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('rep');
    await expect.poll(() => found('Records')).toHaveLength(2);
    const first = await highlighted();
    await page.keyboard.press('ArrowUp');
    await expect.poll(highlighted).toBe('LATHE-7 of Repton Asset Repair');
    await page.keyboard.press('ArrowDown');
    await expect.poll(highlighted).toBe(first);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'LATHE-7 of Repton' }).waitFor();
    expect(await focused()).toBe('MAIN');
  });

  inIndex('asks once for what is typed in one go, and gives up what is sought no longer', async () => {
    const { page } = browser;
    await page.keyboard.press('Control+k');
    await field().waitFor();
    const asked: string[] = [];
    const ended: string[] = [];
    const textOf = (data: string | null) => /"text":"([^"]+)"/.exec(data ?? '')?.[1];
    page.on('request', (request) => asked.push(textOf(request.postData()) ?? ''));
    page.on('requestfailed', (request) => ended.push(textOf(request.postData()) ?? ''));
    await page.route('**/graphql', async (route) => {
      if (textOf(route.request().postData()) === 'lathe') await new Promise((answer) => setTimeout(answer, 1500));
      await route.continue().catch(() => undefined);
    });
    await page.keyboard.type('lathe', { delay: 30 });
    await expect.poll(() => asked.filter(Boolean)).toEqual(['lathe']);
    await page.keyboard.type(' rep', { delay: 30 });
    await expect.poll(() => found('Records')).toEqual(['LATHE-7 of Repton Asset Repair']);
    expect(asked.filter(Boolean)).toEqual(['lathe', 'lathe rep']);
    expect(ended).toEqual(['lathe']);
    await page.unroute('**/graphql');
  });

  test('shows starred and recent records before anything is typed', async () => {
    const { page } = browser;
    await page.goto(`${gateway.url}/records/asset-repair/${repair}`);
    await press(page.getByRole('button', { name: 'Star it' }));
    await press(page.getByRole('link', { name: 'Map', exact: true }));
    await page.keyboard.press('Control+k');
    await expect.poll(() => found('Starred')).toEqual(['LATHE-7 of Repton Asset Repair']);
    expect(await found('Recent')).toContain('LATHE-7 of Repton Asset Repair');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'LATHE-7 of Repton' }).waitFor();
  });

  test('finds nothing that a key may not read', async () => {
    const { page } = browser;
    const { secret } = await callerWith(gateway, 'stock:read');
    await press(page.getByRole('button', { name: 'Sign out' }));
    await signIn(secret);
    await page.keyboard.press('Control+k');
    await field().fill('rep');
    if (SEARCH === 'true') await expect.poll(() => found('Records')).toEqual(['REPTON-3 Serial No']);
    await expect.poll(() => found('Types')).not.toContain('Asset Repair Records');
    await field().fill('serial');
    await expect.poll(() => found('Types')).toContain('Serial No Records');
    await press(page.getByRole('button', { name: 'Close' }));
    await press(page.getByRole('button', { name: 'Sign out' }));
    await signIn(gateway.key);
  });

  test('says to whoever is not signed in why it finds types and pages alone', async () => {
    const { page } = browser;
    await press(page.getByRole('button', { name: 'Sign out' }));
    await page.keyboard.press('Control+k');
    await field().fill('rep');
    await page.getByText('Sign in to find records, too.').waitFor();
    expect(await found('Records')).toEqual([]);
    expect(await found('Types')).toContain('Asset Repair Map');
    expect(await seriousProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await signIn(gateway.key);
  });

  test.runIf(SEARCH === 'false')('says that there is no index of words, and finds types and pages', async () => {
    const { page } = browser;
    const before = browser.requests.length;
    await press(button());
    await page.getByText('keeps no index of words (SEARCH=false): only types and pages are found').waitFor();
    await field().fill('serial n');
    await expect.poll(() => found('Types')).toContain('Serial No Records');
    expect(await found('Records')).toEqual([]);
    await page.waitForTimeout(500);
    expect(browser.requests.slice(before).filter((url) => url.endsWith('/graphql')).length).toBeLessThan(5);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain('/records/serial-no');
  });

  inIndex('leaves the key to the editors of GraphiQL, to the reference, and to a question that is asked', async () => {
    const { page } = browser;
    await page.goto(`${gateway.url}/graphql`);
    await press(page.locator('.graphiql-query-editor .view-line').first());
    await page.keyboard.press('Control+k');
    await page.waitForTimeout(300);
    expect(await field().count()).toBe(0);
    await page.locator('nav a').first().focus();
    await page.keyboard.press('Control+k');
    await field().waitFor();
    await page.goto(`${gateway.url}/docs`);
    await page.locator('h1:has-text("Business Records Gateway")').waitFor();
    await page.locator('nav a').first().focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Reference Search' }).waitFor({ state: 'attached' });
    expect(await field().count()).toBe(0);
    await page.goto(`${gateway.url}/records/asset-repair/${repair}`);
    await press(page.getByRole('button', { name: 'Edit' }));
    await page.getByLabel('Description').fill('typed');
    await page.keyboard.press('Control+k');
    await field().fill('map');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.waitForTimeout(300);
    expect(await field().count()).toBe(0);
    await press(page.getByRole('button', { name: 'Stay here' }));
    expect(await page.getByLabel('Description').inputValue()).toBe('typed');
    await page.keyboard.press('Control+k');
    await field().waitFor();
    expect(await field().inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await press(page.getByRole('button', { name: 'Discard changes' }));
  });

  test('is an icon on a phone, and fits there', async () => {
    const { page } = browser;
    await page.setViewportSize({ width: 360, height: 700 });
    const box = await button().boundingBox();
    expect(box?.width).toBeLessThan(48);
    await press(button());
    await field().fill('serial and');
    await expect.poll(() => found('Types')).toContain('Serial And Batch Bundle Records');
    expect(await overflow(page)).toBe(0);
    expect(await seriousProblems(page)).toEqual([]);
    await press(page.getByRole('button', { name: 'Close' }));
    await page.setViewportSize({ width: 1100, height: 850 });
  });

  test('logs no errors', () => {
    expect(browser.complaints).toEqual([]);
  });

  const button = () => browser.page.getByRole('button', { name: /^Search/ });
  const field = () => browser.page.getByRole('combobox', { name: 'Search records, types and pages' });
  const option = (words: string) => browser.page.getByRole('option', { name: words }).first();
  const textsOf = async (options: Locator) =>
    (await options.allInnerTexts()).map((text) => text.trim().replaceAll('\n', ' '));
  const found = (heading: string) => textsOf(browser.page.getByRole('group', { name: heading }).getByRole('option'));
  const highlighted = async () => (await textsOf(browser.page.locator('[role="option"][data-highlighted]')))[0];
  const focused = (): Promise<string> => browser.page.evaluate('document.activeElement.tagName');

  async function signIn(key: string) {
    await browser.page.goto('about:blank');
    await browser.page.goto(`${gateway.url}/records#key=${key}`);
    await browser.page.getByRole('button', { name: 'Sign out' }).waitFor();
  }

  async function created(path: string, input: object): Promise<string> {
    const { status, body } = await gateway.rest('POST', path, input);
    expect([status, body.error]).toEqual([201, undefined]);
    return body.id;
  }
});
