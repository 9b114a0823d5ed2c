/** What somebody types into the pages is neither lost nor misread. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../src/features/keys/api-keys.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { missing, openBrowser } from './browser.js';
import { press } from './press.js';

const reason = missing();
if (reason) console.log(reason);

describe.skipIf(reason)('what is typed into the pages', () => {
  let gateway: TestGateway;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let id = '';
  /** The questions of the browser so far. */
  let asked: string[] = [];

  beforeAll(async () => {
    gateway = await startGateway();
    browser = await openBrowser();
    browser.page.setDefaultTimeout(8000);
    browser.page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      return dialog.accept();
    });
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });
  beforeEach(async () => {
    const input = { asset: 'SAW-1', failureDate: '2026-11-20', repairCost: 55, consumedItems: [line('SEAL')] };
    const create = 'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }';
    ({ id } = (await gateway.graphql(create, { input })).body.data.createAssetRepair.record);
    await browser.page.goto('about:blank');
    await browser.page.goto(`${recordAddress()}#key=${gateway.key}`);
    asked = [];
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(await browser.whatIsSeen());
  });

  test('as the link that signs in, into the address of a tab that is open already, is taken out of it', async () => {
    const { page } = browser;
    await press(button('Sign out'));
    await page.getByLabel('API key').waitFor();
    await page.evaluate(`location.hash = 'key=${gateway.key}'`);
    await button('Sign out').waitFor();
    expect(page.url()).toBe(recordAddress());
  });

  test('as a number that is too large for one is refused, and not taken for nothing', async () => {
    await edit();
    await field('Repair cost').fill('1e400');
    await press(button('Save…'));
    await browser.page.getByText('Repair cost must be a number').first().waitFor();
    expect((await stored()).repairCost).toBe(55);
  });

  test('is asked about before it is left: by a link, by the back button, by a reload and by signing out', async () => {
    const { page } = browser;
    await page.goto(`${gateway.url}/records/asset-repair`);
    await press(page.getByRole('link', { name: 'SAW-1' }).first());
    await edit();
    await field('Company').fill('Sawmill');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    const map = page.getByRole('link', { name: 'Map', exact: true });
    const back = () => page.evaluate('history.back()');
    for (const leave of [() => press(map), back, () => press(button('Sign out'))]) {
      await leave();
      await question.waitFor();
      expect(page.url()).toBe(recordAddress());
      await press(button('Stay here'));
      await question.waitFor({ state: 'detached' });
      expect(await field('Company').inputValue()).toBe('Sawmill');
    }
    await map.focus();
    await page.keyboard.press('Enter');
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await map.evaluate((link) => link === document.activeElement)).toBe(true);
    // Where another document is loaded, only the browser can ask.
    expect(asked).toEqual([]);
    await page.reload();
    await edit();
    expect(asked).toEqual(['beforeunload']);
    await field('Company').fill('Sawmill');
    await back();
    await press(button('Leave and lose it'));
    await page.getByRole('heading', { name: 'Asset Repair', exact: true }).waitFor();
    await page.evaluate('history.forward()');
    await edit();
    await field('Company').fill('Sawmill');
    await press(map);
    await press(button('Leave and lose it'));
    await page.getByRole('heading', { name: 'Map of the records' }).waitFor();
    expect((await stored()).company).toBeNull();
  });

  test('is saved as a change of what was read, though the page has read it again since', async () => {
    const page = await browser.openPage();
    await page.clock.install();
    await page.goto(`${recordAddress()}#key=${gateway.key}`);
    await press(page.getByRole('button', { name: 'Edit' }));
    await press(page.getByRole('button', { name: 'Add a line' }).first());
    await page.getByLabel('Item code').nth(1).fill('MINE');
    await page.getByLabel('Warehouse').nth(1).fill('Yard');
    const theirs = { asset_repair_id: id, item_code: 'THEIRS', warehouse: 'Yard' };
    await gateway.rest('POST', '/api/assets/asset-repair-consumed-item', theirs);
    // When the network is back, data older than ten seconds is read again.
    await page.clock.fastForward(60_000);
    const read = page.waitForResponse((response) => response.url() === `${gateway.url}/graphql`);
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await (await read).finished();
    await press(page.getByRole('button', { name: 'Save…' }));
    await page.getByRole('dialog', { name: 'Somebody else has changed it' }).waitFor();
    await press(page.getByRole('button', { name: 'Save my changes over it' }));
    await page.getByText('Saved as version 3.').waitFor();
    expect((await stored()).consumedItems).toEqual(['SEAL', 'THEIRS', 'MINE'].map((itemCode) => ({ itemCode })));
    await page.context().close();
  });

  test('waits for another key when its own ends', async () => {
    const { apiKey, secret } = await createKey(gateway.database, { name: 'ann', scopes: ['*'] });
    await signInAgain(secret);
    await edit();
    await field('Company').fill('Sawmill');
    await revokeKey(gateway.database, apiKey.id);
    const headers = { Authorization: `Bearer ${secret}` };
    await expect.poll(async () => (await fetch(`${gateway.url}/api/crm/industry-type`, { headers })).status).toBe(401);
    await press(button('Save…'));
    await browser.page.getByText('You are no longer signed in. This API key is unknown, expired or revoked.').waitFor();
    await giveKey(gateway.key);
    await press(button('Save…'));
    await press(button('Save'));
    await browser.page.getByText('Saved as version 2.').waitFor();
    expect((await stored()).company).toBe('Sawmill');
  });

  test('is asked about before a reload, also while the page waits for another key', async () => {
    const { apiKey, secret } = await createKey(gateway.database, { name: 'eve', scopes: ['*'] });
    await signInAgain(secret);
    await edit();
    await field('Company').fill('Sawmill');
    await revokeKey(gateway.database, apiKey.id);
    const headers = { Authorization: `Bearer ${secret}` };
    await expect.poll(async () => (await fetch(`${gateway.url}/api/crm/industry-type`, { headers })).status).toBe(401);
    await press(button('Save…'));
    await browser.page.getByText('You are no longer signed in. This API key is unknown, expired or revoked.').waitFor();
    await browser.page.reload();
    expect(asked).toEqual(['beforeunload']);
  });

  test('may have been saved though no answer came, which is said', async () => {
    const { page } = browser;
    await page.goto(`${gateway.url}/records/industry-type/new`);
    await page.getByLabel(/^Industry/).fill('Sawmills');
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('createIndustryType')) return route.continue();
      await route.fetch();
      await route.abort();
    });
    for (const name of ['Create…', 'Create']) await press(button(name));
    await page.getByText('It may have been done all the same: the same again happens once.').waitFor();
    await page.unroute('**/graphql');
    for (const name of ['Create…', 'Create']) await press(button(name));
    await page.getByRole('heading', { name: 'Sawmills' }).waitFor();
    const { body } = await gateway.graphql('{ industryTypes { totalCount } }');
    expect(body.data.industryTypes.totalCount).toBe(1);
  });

  test('is shown to nobody who signs in after it was left by signing out', async () => {
    await edit();
    await field('Company').fill('Sawmill');
    await press(button('Sign out'));
    await press(button('Leave and lose it'));
    await giveKey(gateway.key);
    await button('Edit').waitFor();
    expect(await field('Company').count()).toBe(0);
  });

  test('says neither yes nor no of a new line before somebody does', async () => {
    const create = `mutation { createTimesheet(input: {}) { record { id } } }`;
    const timesheet = (await gateway.graphql(create)).body.data.createTimesheet.record.id;
    await browser.page.goto(`${gateway.url}/records/timesheet/${timesheet}`);
    await edit();
    await press(button('Add a line'));
    expect(await field('Completed, line 1').inputValue()).toBe('');
  });

  test('as a filter without meaning is reported, also in an address', async () => {
    const { page } = browser;
    const list = `${gateway.url}/records/AssetRepair`;
    for (const [where, problem] of [
      ['nofield eq x', '`where.nofield` is not a name'],
      ['asset', '`where.asset.` is not a name'],
      ['capitalizeRepairCost eq no', 'must be true or false'],
      ['repairCost gt 1e400', 'must be a number'],
    ]) {
      await page.goto(`${list}?${new URLSearchParams({ where: where ?? '' })}`);
      await page
        .getByRole('alert')
        .getByText(problem ?? '')
        .waitFor();
    }
    await page.goto(`${list}?${new URLSearchParams({ where: 'asset isNull false' })}`);
    await page.getByText('Asset is not empty').waitFor();
  });

  test('is shown from its beginning where it is long, and the tab is named after it', async () => {
    const { page } = browser;
    const asset = `LONG ${'x'.repeat(900_000)}`;
    const { body } = await gateway.rest('POST', '/api/assets/asset-repair', { asset, failure_date: '2026-11-20' });
    await page.goto(`${gateway.url}/records/asset-repair`);
    const link = page.getByRole('link', { name: 'LONG' });
    expect(await link.textContent()).toHaveLength(201);
    await expect.poll(() => page.title()).toBe('Asset Repair · Business Records');
    await press(link);
    await page.getByRole('heading', { name: 'LONG' }).waitFor();
    expect(await page.title()).toMatch(/^LONG x+… · Asset Repair · Business Records$/);
    await gateway.rest('DELETE', `/api/assets/asset-repair/${body.id}`);
  });

  test('does not bring back a record that was deleted a moment ago', async () => {
    const { page } = browser;
    await gateway.graphql(
      'mutation ($id: ID!) { updateAssetRepair(id: $id, input: { asset: "GONE" }) { record { id } } }',
      {
        id,
      },
    );
    await page.goto(`${gateway.url}/records/asset-repair`);
    await press(page.getByRole('link', { name: 'GONE' }));
    await press(button('Delete…'));
    await press(button('Delete'));
    await page.getByRole('link', { name: 'SAW-1' }).first().waitFor();
    expect(await page.getByRole('link', { name: 'GONE' }).count()).toBe(0);
  });

  test('before somebody else has changed the record: an action says so, and the page shows the newer one', async () => {
    await button('Submit…').waitFor();
    await gateway.graphql(
      'mutation ($id: ID!) { updateAssetRepair(id: $id, input: { company: "ACME" }) { record { id } } }',
      {
        id,
      },
    );
    await press(button('Submit…'));
    await browser.page.getByRole('dialog').getByText('is at version 2').waitFor();
    await press(button('Not yet'));
    await browser.page.getByText('· version 2 ·').waitFor();
    await press(button('Submit…'));
    await browser.page.getByText('draft → submitted').waitFor();
    expect((await stored()).status).toBe('DRAFT');
  });

  test('no page logged an error', () => {
    expect(browser.complaints).toEqual([]);
  });

  const line = (itemCode: string) => ({ itemCode, warehouse: 'Yard' });
  const recordAddress = () => `${gateway.url}/records/asset-repair/${id}`;
  const button = (name: string) => browser.page.getByRole('button', { name, exact: true });
  const field = (label: string) => browser.page.getByLabel(label, { exact: true });
  const edit = () => press(button('Edit'));

  async function giveKey(key: string) {
    await browser.page.getByLabel('API key').fill(key);
    await press(button('Sign in'));
  }

  async function signInAgain(key: string) {
    const { page } = browser;
    await press(button('Sign out'));
    const read = page.waitForResponse((response) => response.request().postData()?.includes('history(') ?? false);
    await giveKey(key);
    // A question that was still to be answered when the key ends would end the session before anybody saves.
    await read;
    await page.locator('.who').waitFor();
  }

  async function stored() {
    const query = 'query ($id: ID!) { assetRepair(id: $id) { status company repairCost consumedItems { itemCode } } }';
    return (await gateway.graphql(query, { id })).body.data.assetRepair;
  }
});
