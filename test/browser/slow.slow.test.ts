/** The pages when an answer is slow, refused or lost, and with the keyboard alone. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { missing, openBrowser } from './browser.js';
import { press } from './press.js';
import { answerIn, runQuery, shownTab } from './visit.js';

const reason = missing();
if (reason) console.log(reason);

describe.skipIf(reason)('the pages where an answer is slow, refused or lost', () => {
  let gateway: TestGateway;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  /** The requests to the gateway while they were held. */
  let held: string[] = [];
  let release = () => {};
  let passing = Promise.resolve();

  beforeAll(async () => {
    gateway = await startGateway();
    browser = await openBrowser();
    browser.page.setDefaultTimeout(15_000);
    await browser.page.route(`${gateway.url}/graphql`, async (route) => {
      held.push(route.request().postData() ?? '');
      await passing;
      await route.continue();
    });
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });
  beforeEach(async () => {
    const input = {
      asset: 'SAW-1',
      failureDate: '2026-11-20',
      consumedItems: [{ itemCode: 'SEAL', warehouse: 'Yard' }],
    };
    const create = 'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }';
    const { id } = (await gateway.graphql(create, { input })).body.data.createAssetRepair.record;
    await browser.page.goto('about:blank');
    await browser.page.goto(`${gateway.url}/records/asset-repair/${id}#key=${gateway.key}`);
    await button('Submit…').waitFor();
  });
  afterEach(async ({ task }) => {
    release();
    if (task.result?.state === 'fail') console.log(await browser.whatIsSeen());
  });

  test('show at once that an action is tried and done, and do it once', async () => {
    hold();
    await button('Submit…').press('Enter');
    await dialog().getByText('The gateway is trying it…').waitFor();
    expect(await button('Submit').isDisabled()).toBe(true);
    release();
    await dialog().getByText('draft → submitted').waitFor();
    hold();
    await button('Submit').press('Enter');
    await button('Under way…').waitFor();
    expect(await button('Under way…').isDisabled()).toBe(true);
    await browser.page.keyboard.press('Enter');
    // Chromium closes a dialog of its own at the second Escape, whatever the page says.
    await browser.page.keyboard.press('Escape');
    await browser.page.keyboard.press('Escape');
    await button('Under way…').waitFor();
    release();
    await browser.page.getByText('Submitted.').waitFor();
    expect(held.filter((body) => body.includes('submitAssetRepair'))).toHaveLength(1);
    await expect.poll(() => button('Cancel…').isEnabled()).toBe(true);
    await expect.poll(focused).toBe('Submitted.');
  });

  test('show the dialog of another action, whatever comes of the one that was left', async () => {
    hold();
    await button('Submit…').press('Enter');
    await dialog().getByText('The gateway is trying it…').waitFor();
    const releaseSubmit = release;
    await button('Not yet').press('Enter');
    hold();
    await button('Delete…').press('Enter');
    await dialog().getByText('Delete this').waitFor();
    const late = browser.page.waitForResponse((response) => /Preview/.test(response.request().postData() ?? ''));
    releaseSubmit();
    await (await late).finished();
    expect(await dialog().getByText('The gateway is trying it…').isVisible()).toBe(true);
    release();
    await expect.poll(() => button('Delete').isEnabled()).toBe(true);
    expect(await dialog().getByText('Delete this').isVisible()).toBe(true);
  });

  test('show at once that a save is tried and done, and what was saved before the next action', async () => {
    await button('Edit').press('Enter');
    await expect.poll(focused).toBe('INPUT');
    await browser.page.getByLabel('Company', { exact: true }).fill('Sawmill');
    hold();
    await button('Save…').press('Enter');
    await dialog().waitFor();
    expect(await button('Save').isDisabled()).toBe(true);
    release();
    await expect.poll(() => button('Save').isEnabled()).toBe(true);
    hold();
    await button('Save').press('Enter');
    await button('Saving…').waitFor();
    release();
    await browser.page.getByText('Saved as version 2.').waitFor();
    await expect.poll(focused).toBe('Saved as version 2.');
    expect(await button('Submit…').isEnabled()).toBe(true);
  });

  test('keep the dialog until they show what was saved or done', async () => {
    await button('Edit').press('Enter');
    await browser.page.getByLabel('Company', { exact: true }).fill('Sawmill');
    await button('Save…').press('Enter');
    await heldUntilRead('Save', 'Saving…', 'saveAssetRepair');
    await browser.page.getByText('Saved as version 2.').waitFor();
    await button('Submit…').press('Enter');
    await heldUntilRead('Submit', 'Under way…', 'submitAssetRepair');
    await browser.page.getByText('Submitted.').waitFor();
  });

  test('let the keyboard go on where a line was taken away, and where somebody signs out and in', async () => {
    const { page } = browser;
    await button('Edit').press('Enter');
    await button('Remove line 1').press('Enter');
    expect(await focused()).toBe('Add a line');
    await button('Discard changes').press('Enter');
    await button('Edit').waitFor();
    await expect.poll(focusedTag).toBe('P');
    await button('Sign out').press('Enter');
    await expect.poll(focusedTag).toBe('MAIN');
    await page.getByLabel('API key').fill(gateway.key);
    await page.keyboard.press('Enter');
    await button('Edit').waitFor();
    await expect.poll(focusedTag).toBe('MAIN');
  });

  test('keep what is typed while the gateway is out of reach, and say so', async () => {
    const { page } = browser;
    await button('Edit').press('Enter');
    const company = page.getByLabel('Company', { exact: true });
    await company.fill('Sawmill');
    await page.context().setOffline(true);
    await press(button('Save…'));
    await page.getByRole('alert').getByText('The gateway cannot be reached').waitFor();
    expect(await company.inputValue()).toBe('Sawmill');
    await page.context().setOffline(false);
    await press(button('Save…'));
    await press(button('Save'));
    await page.getByText('Saved as version 2.').waitFor();
  });

  test('let the keyboard go on where a filter was taken away', async () => {
    const { page } = browser;
    await page.goto(`${gateway.url}/records/asset-repair?${new URLSearchParams({ where: 'asset eq SAW-1' })}`);
    const chip = page.getByRole('button', { name: /Remove this filter/ });
    await chip.press('Enter');
    await chip.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Field');
  });

  test('say when a key that has made its requests may go on, and try again when asked to', async () => {
    // The first is the sign-in's, and the next are the counts of the overview.
    const limited = await startGateway({ env: { RATE_LIMIT: '2' } });
    try {
      const page = await browser.openPage();
      await page.goto(limited.url);
      const signIn = async () => {
        await page.getByLabel('API key').fill(limited.key);
        await press(page.getByRole('button', { name: 'Sign in' }));
      };
      await signIn();
      const missing = page.getByText('Some counts are missing');
      await missing.waitFor();
      expect(await missing.textContent()).toMatch(/\d+ s/);
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      await press(page.getByRole('button', { name: 'Sign out' }));
      await signIn();
      const refusal = page.getByRole('alert').filter({ hasText: /\d+ s/ });
      await refusal.waitFor();
      expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
      await page.context().close();
    } finally {
      await limited.close();
    }
  });

  test('say in GraphiQL why a stream is refused', async () => {
    const limited = await startGateway({ env: { STREAMS_PER_KEY: '1' } });
    const leave = new AbortController();
    const headers = { Authorization: `Bearer ${limited.key}`, Accept: 'text/event-stream' };
    try {
      const held = await fetch(`${limited.url}/api/events`, { headers, signal: leave.signal });
      expect(held.status).toBe(200);
      const page = await browser.openPage();
      await page.goto(`${limited.url}/graphql#key=${limited.key}`);
      await page.getByTitle('Live', { exact: true }).press('Enter');
      await shownTab(page, 'Live').waitFor();
      await runQuery(page);
      await answerIn(page).getByText('RATE_LIMITED').waitFor();
      await page.getByRole('button', { name: /Execute query/ }).waitFor();
      await page.context().close();
      // Node ends the stream of an answer that nothing refers to any more, which would free a place for the page.
      expect(held.bodyUsed).toBe(false);
    } finally {
      leave.abort();
      await limited.close();
    }
  });

  test('no page logged an error', () => {
    expect(browser.complaints).toEqual([]);
  });

  const button = (name: string) => browser.page.getByRole('button', { name, exact: true });
  const dialog = () => browser.page.getByRole('dialog');
  const focusedTag = () => browser.page.evaluate('document.activeElement.tagName');
  /** The text of the focused element, or its tag if it has none. */
  const focused = () =>
    browser.page.evaluate('document.activeElement.textContent.trim() || document.activeElement.tagName');

  /** Presses the button of a dialog, which stays until the change is answered and the record is read again. */
  async function heldUntilRead(pressed: string, shown: string, mutation: string) {
    await expect.poll(() => button(pressed).isEnabled()).toBe(true);
    hold();
    const changed = browser.page.waitForResponse(
      (response) => response.request().postData()?.includes(mutation) === true,
    );
    await button(pressed).press('Enter');
    await button(shown).waitFor();
    const releaseChange = release;
    hold();
    releaseChange();
    await (await changed).finished();
    await expect.poll(() => held.length).toBeGreaterThan(0);
    expect(await button(shown).isDisabled()).toBe(true);
    release();
    await dialog().waitFor({ state: 'detached' });
  }

  /** Requests that are sent from now on wait until they are released. */
  function hold() {
    held = [];
    const mine = new Promise<void>((resolve) => {
      release = () => {
        if (passing === mine) passing = Promise.resolve();
        resolve();
      };
    });
    passing = mine;
  }
});
