/** The pages in a real browser. The tests are one visit, in this order. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { callerWith } from '../access/keys.js';
import { freshFolder } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { seriousProblems } from './accessibility.js';
import { missing, openBrowser } from './browser.js';
import { graphiqlTests } from './graphiql.js';
import { press, scroll } from './press.js';
import { referenceTests } from './reference.js';
import { keysIn, overflow, stores } from './visit.js';

const reason = missing();
if (reason) console.log(reason);

describe.skipIf(reason)('the pages in a browser', () => {
  let gateway: TestGateway;
  let browser: Awaited<ReturnType<typeof openBrowser>>;

  beforeAll(async () => {
    const deprecations = join(freshFolder(), 'deprecations.json');
    const ending = { endpoints: ['IndustryType*'], deprecated: '2026-10-01', sunset: '2027-06-01' };
    const later = { endpoints: ['CustomsTariffNumberList'], deprecated: '2099-10-01', sunset: '2100-06-01' };
    writeFileSync(deprecations, JSON.stringify([ending, later]));
    gateway = await startGateway({ env: { DEPRECATIONS: deprecations } });
    await gateway.graphql(
      'mutation { createAssetRepair(input: { asset: "LATHE-7", failureDate: "2026-11-20" }) { record { id } } }',
    );
    browser = await openBrowser();
    await browser.page.goto(gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(await browser.whatIsSeen());
  });

  describe('the overview and the sign-in', () => {
    test('show the types without a key, and ask the API for nothing', async () => {
      const { page } = browser;
      await page.getByRole('link', { name: 'Asset Repair', exact: true }).waitFor();
      await page.getByLabel('API key').waitFor();
      expect(asked('/graphql')).toEqual([]);
      expect(await seriousProblems(page)).toEqual([]);
    });

    test('the requests that it shows work when pasted', async () => {
      const commands = await browser.page.locator('pre').allInnerTexts();
      const env = { ...process.env, API_KEY: gateway.key };
      const answers = await Promise.all(
        commands.map(async (command) => {
          const { stdout } = await promisify(execFile)('bash', ['-c', command.replace('curl', 'curl -s')], { env });
          return JSON.parse(stdout);
        }),
      );
      expect(answers).toMatchObject([{ total: 1 }, { data: { assetRepairs: { nodes: [{ asset: 'LATHE-7' }] } } }]);
    });

    test('show at the field that a key is wrong', async () => {
      const { page } = browser;
      await giveKey('wrong');
      await page.getByText('The gateway does not know this key.').waitFor();
      expect(await page.getByLabel('API key').getAttribute('aria-invalid')).toBe('true');
      await giveKey('naïve key');
      await page.getByText('This is no API key').waitFor();
    });

    test('show the counts with a right key, which is in the storage of the tab and nowhere else', async () => {
      const { page } = browser;
      await giveKey(gateway.key);
      await page
        .getByText('1 draft')
        .or(page.getByRole('img', { name: '1 draft' }))
        .first()
        .waitFor();
      expect(await keysIn(browser.page)).toEqual([gateway.key]);
      expect((await stores(browser.page)).slice(1)).toEqual([[], '']);
      expect(await seriousProblems(page)).toEqual([]);
    });

    test('survive a reload, and hand the key to a new tab', async () => {
      const { page } = browser;
      await page.reload();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      const tab = await page.context().newPage();
      await tab.goto(`${gateway.url}/schema`);
      await tab.getByRole('button', { name: 'Sign out' }).waitFor();
      await press(page.getByRole('button', { name: 'Sign out' }));
      await tab.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'detached' });
      await tab.close();
      expect(await stores(browser.page)).toEqual([[], [], '']);
    });

    test('take the key of the link that the start prints, out of the address at once', async () => {
      const { page } = browser;
      await page.goto('about:blank');
      await page.goto(`${gateway.url}/#key=${gateway.key}`);
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      expect(page.url()).toBe(`${gateway.url}/`);
      expect(browser.requests.filter((url) => url.includes(gateway.key))).toEqual([]);
      expect(gateway.logLines.filter((line) => line.includes(gateway.key))).toEqual([]);
    });
  });

  describe('a link with another key', () => {
    test('asks in a fresh tab too whoever is signed in elsewhere, and replaces nobody there', async () => {
      const { page } = browser;
      const { secret } = await callerWith(gateway, 'assets:read');
      const patient = { timeout: 20_000 };
      for (const answer of ['dismiss', 'accept'] as const) {
        const tab = await page.context().newPage();
        const asked: string[] = [];
        tab.on('dialog', (dialog) => {
          asked.push(dialog.message());
          return dialog[answer]();
        });
        await tab.goto(`${gateway.url}/#key=${secret}`);
        await expect.poll(() => asked, patient).toEqual([expect.stringContaining('another API key')]);
        expect(tab.url()).toBe(`${gateway.url}/`);
        await expect.poll(() => keysIn(tab), patient).toEqual([answer === 'accept' ? secret : gateway.key]);
        expect(await keysIn(page)).toEqual([gateway.key]);
        await tab.close();
      }
      expect(browser.requests.filter((url) => url.includes(secret))).toEqual([]);
    });
  });

  describe('a link with another key, while it is not known yet who is signed in', () => {
    /** A tab with the key of a link. No other tab has answered yet. */
    async function linkedTab(secret: string) {
      const tab = await browser.openPage();
      const slow = await tab.context().newPage();
      await slow.goto(`${gateway.url}/operations/Changes.json`);
      await slow.evaluate(`heard = {}; channel = new BroadcastChannel('sign-in /'); channel.onmessage = ({ data }) => {
        if (data.ask) asking = data.ask;
        else heard = data;
      }`);
      await tab.clock.install();
      await tab.goto(`${gateway.url}/#key=${secret}`);
      await tab.getByRole('button', { name: 'Sign out' }).waitFor();
      const asked: string[] = [];
      tab.on('dialog', (dialog) => {
        asked.push(dialog.message());
        return dialog.dismiss();
      });
      /** As a tab does it that is slow to answer. */
      const answer = () => slow.evaluate(`channel.postMessage({ key: '${gateway.key}', to: asking })`);
      const keys = () => keysIn(tab);
      return { tab, slow, asked, answer, keys };
    }

    test('is asked about also behind another change of the address', async () => {
      const { secret } = await callerWith(gateway, 'assets:read');
      const { tab, asked, answer, keys } = await linkedTab(secret);
      expect(await keys()).toEqual([secret]);
      await tab.evaluate("location.hash = 'elsewhere'");
      await answer();
      await expect.poll(keys).toEqual([gateway.key]);
      expect(asked).toHaveLength(1);
      await tab.context().close();
    });

    test('is no answer to a third tab, and still in question after a reload', async () => {
      const { secret } = await callerWith(gateway, 'assets:read');
      const { tab, slow, asked, answer, keys } = await linkedTab(secret);
      const third = await tab.context().newPage();
      await third.goto(gateway.url);
      await third.getByLabel('API key').waitFor();
      await tab.reload();
      await tab.getByRole('button', { name: 'Sign out' }).waitFor();
      expect(await keys()).toEqual([secret]);
      await answer();
      await expect.poll(keys).toEqual([gateway.key]);
      expect(asked).toHaveLength(1);
      await third.reload();
      await third.getByRole('button', { name: 'Sign out' }).waitFor();
      expect(await keysIn(third)).toEqual([gateway.key]);
      expect(await slow.evaluate('heard.key === undefined || heard.to !== undefined')).toBe(true);
      await tab.context().close();
    });

    test('counts when nobody has answered, and is then told to a tab that has asked meanwhile', async () => {
      const { secret } = await callerWith(gateway, 'assets:read');
      const { tab, asked, keys } = await linkedTab(secret);
      const third = await tab.context().newPage();
      await third.goto(gateway.url);
      await third.getByLabel('API key').waitFor();
      await tab.clock.fastForward(25_000);
      await third.getByRole('button', { name: 'Sign out' }).waitFor();
      expect([await keys(), await keysIn(third), asked]).toEqual([[secret], [secret], []]);
      await tab.context().close();
    });

    test('gives way to that of a second link, which is asked about for as long', async () => {
      const [first, second] = [await callerWith(gateway, 'assets:read'), await callerWith(gateway, 'assets:read')];
      const { tab, asked, answer, keys } = await linkedTab(first.secret);
      await tab.clock.fastForward(15_000);
      await tab.evaluate(`location.hash = 'key=${second.secret}'`);
      await expect.poll(keys).toEqual([second.secret]);
      await tab.clock.fastForward(15_000);
      await answer();
      await expect.poll(keys).toEqual([gateway.key]);
      expect(asked).toHaveLength(1);
      await tab.context().close();
    });
  });

  describe('the map', () => {
    test('finds a type by one of its fields, and shows where it is on both surfaces', async () => {
      const { page } = browser;
      await press(page.getByRole('link', { name: 'Map', exact: true }));
      await page.getByLabel('Find a type or a field').fill('increase_in_asset');
      await page.getByText('1 of 38').waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Asset Repair' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/schema/AssetRepair');
      const details = page.getByRole('region', { name: 'Asset Repair' });
      await details.getByText('increaseInAssetLife').waitFor();
      await details.getByText('/api/assets/asset-repair/{id}/submit').waitFor();
      await details.getByText('saveAssetRepair').waitFor();
      expect(await seriousProblems(page)).toEqual([]);
    });

    test('has a box for each type, reached by the keyboard, and no sideways scroll on a phone', async () => {
      const { page } = browser;
      await page.setViewportSize({ width: 360, height: 800 });
      await press(page.getByRole('link', { name: 'Close' }));
      expect(await page.locator('.drawing a').count()).toBe(38);
      await page.locator('.drawing a').first().focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Signing Document' }).waitFor();
      expect(await overflow(page)).toBe(0);
      await page.keyboard.press('Escape');
      await page.getByRole('heading', { name: 'Signing Document' }).waitFor({ state: 'detached' });
      expect(new URL(page.url()).pathname).toBe('/schema');
      await page.setViewportSize({ width: 1100, height: 850 });
    });
  });

  describe('the records', () => {
    test('are listed, filtered and ordered, as their address says', async () => {
      const { page } = browser;
      const inputs = upTo(30).map((count) => ({
        asset: `PRESS-${count}`,
        failureDate: '2026-11-21',
        repairCost: count,
        totalRepairCost: count,
      }));
      const create =
        'mutation ($inputs: [CreateAssetRepairInput!]!) { createManyAssetRepairs(inputs: $inputs) { records { id } } }';
      expect((await gateway.graphql(create, { inputs })).body.errors).toBeUndefined();
      await press(page.getByRole('link', { name: 'Records', exact: true }));
      await press(page.getByRole('link', { name: 'Asset Repair', exact: true }));
      await page.getByText('31 in all').waitFor();
      expect(await seriousProblems(page)).toEqual([]);
      await page.getByLabel('Field').selectOption('asset');
      await page.getByLabel('Value').fill('PRESS');
      await press(page.getByRole('button', { name: 'Filter', exact: true }));
      await page.getByText('30 in all').waitFor();
      await press(page.getByRole('button', { name: 'Total repair cost', exact: true }));
      await page.getByRole('link', { name: 'PRESS-1', exact: true }).waitFor();
      await press(page.getByRole('button', { name: 'Next' }));
      await page.getByRole('link', { name: 'PRESS-26' }).waitFor();
      await page.reload();
      await page.getByRole('link', { name: 'PRESS-30' }).waitFor();
      expect(await page.locator('.rows tbody tr').count()).toBe(5);
      await press(page.getByRole('button', { name: 'Previous' }));
      await page.getByRole('link', { name: 'PRESS-25' }).waitFor();
    });

    test('are edited with their lines: first tried, then saved, then in the history', async () => {
      const { page } = browser;
      await press(page.getByRole('link', { name: 'PRESS-7', exact: true }));
      await press(page.getByRole('button', { name: 'Edit' }));
      await page.getByLabel('Repair cost', { exact: true }).fill('700');
      await press(page.getByRole('button', { name: 'Add a line' }).first());
      await save();
      await page.getByText('Line 1: Item code is required').first().waitFor();
      await page.getByLabel('Item code').fill('SEAL');
      await page.getByLabel('Warehouse').fill('Stores');
      await save();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Consumed items: 1 added').waitFor();
      expect(await stored()).toMatchObject({ version: 1, repairCost: 7, consumedItems: [] });
      expect(await seriousProblems(page)).toEqual([]);
      await press(dialog.getByRole('button', { name: 'Save', exact: true }));
      await page.getByText('Saved as version 2.').waitFor();
      expect(await stored()).toMatchObject({ version: 2, repairCost: 700, consumedItems: [{ itemCode: 'SEAL' }] });
      await page.getByRole('region', { name: 'History' }).getByText('Version 2').waitFor();
      expect(await seriousProblems(page)).toEqual([]);
    });

    test('that somebody else has changed are not overwritten silently', async () => {
      const { page } = browser;
      await press(page.getByRole('button', { name: 'Edit' }));
      await page.getByLabel('Repair cost', { exact: true }).fill('1');
      await page.getByLabel('Total value').fill('12');
      const { id, consumedItems } = await stored();
      const theirs = {
        repairCost: 900,
        consumedItems: [{ id: consumedItems[0].id }, { itemCode: 'OIL', warehouse: 'Yard' }],
      };
      const change = `mutation ($id: ID!, $input: SaveAssetRepairInput!) {
        saveAssetRepair(id: $id, input: $input) { record { id } } }`;
      expect((await gateway.graphql(change, { id, input: theirs })).body.errors).toBeUndefined();
      await save();
      const dialog = page.getByRole('dialog', { name: 'Somebody else has changed it' });
      await dialog.getByText('900').waitFor();
      expect((await stored()).repairCost).toBe(900);
      await press(dialog.getByRole('button', { name: 'Save my changes over it' }));
      await page.getByText('Saved as version 4.').waitFor();
      // The addition of the other person is still there.
      expect(await stored()).toMatchObject({
        repairCost: 1,
        consumedItems: [
          { itemCode: 'SEAL', totalValue: 12 },
          { itemCode: 'OIL', totalValue: null },
        ],
      });
    });

    test('are saved once, however often a save whose answer is lost is sent', async () => {
      const { page } = browser;
      const keys: (string | undefined)[] = [];
      let lost = 0;
      await page.route(`${gateway.url}/graphql`, async (route) => {
        const isSave = /saveAssetRepair/.test(route.request().postData() ?? '');
        const key = route.request().headers()['idempotency-key'];
        if (isSave && !/"validateOnly":true/.test(route.request().postData() ?? '')) keys.push(key);
        else return route.continue();
        if (keys.length > 1) return route.continue();
        // It reaches the gateway, but its answer is lost.
        await route.fetch();
        lost++;
        await route.abort();
      });
      await press(page.getByRole('button', { name: 'Edit' }));
      await page.getByLabel('Repair cost', { exact: true }).fill('2');
      await save();
      await press(page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }));
      await page.getByText('Saved as version 5.').waitFor();
      await page.unroute(`${gateway.url}/graphql`);
      expect(await stored()).toMatchObject({ version: 5, repairCost: 2 });
      expect([lost, keys.length, new Set(keys).size]).toEqual([1, 2, 1]);
      expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    });

    test('are submitted after a dry run that changes nothing', async () => {
      const { page } = browser;
      const submit = page.getByRole('button', { name: 'Submit…' });
      await press(submit);
      const dialog = page.getByRole('dialog');
      await press(dialog.getByRole('button', { name: 'Not yet' }));
      await dialog.waitFor({ state: 'detached' });
      expect(await submit.evaluate((button) => button === document.activeElement)).toBe(true);
      await press(submit);
      await dialog.getByText('draft → submitted').waitFor();
      expect((await stored()).status).toBe('DRAFT');
      await press(dialog.getByRole('button', { name: 'Submit' }));
      await page.getByText('Submitted.').waitFor();
      expect((await stored()).status).toBe('SUBMITTED');
      await page.getByRole('button', { name: 'Submit…', disabled: true }).waitFor();
    });

    test('keep the line breaks of a text, and draw of many lines those in sight', async () => {
      const { page } = browser;
      const ofPress = '{ assetRepairs(where: { asset: { eq: "PRESS-8" } }) { nodes { id description } } }';
      const read = async () => (await gateway.graphql(ofPress)).body.data.assetRepairs.nodes[0];
      const { id } = await read();
      const change = `mutation ($id: ID!, $input: SaveAssetRepairInput!) {
        saveAssetRepair(id: $id, input: $input) { record { id } } }`;
      const consumedItems = upTo(30).map((count) => ({ itemCode: `SEAL-${count}`, warehouse: 'Yard' }));
      await gateway.graphql(change, { id, input: { description: 'Belt worn out.\nReplaced.', consumedItems } });
      await page.goto(`${gateway.url}/records/asset-repair/${id}`);
      await page.getByText('Consumed items: a line was created. Item code: SEAL-1, Warehouse: Yard').waitFor();
      await page.getByText('and 19 more changes').waitFor();
      await press(page.getByRole('button', { name: 'Edit' }));
      await page.getByLabel('Item code, line 1', { exact: true }).waitFor();
      expect(await page.getByLabel('Item code').count()).toBeLessThan(30);
      await scroll(page, page.getByRole('region', { name: 'Consumed items' }).locator('.grid'), 5000);
      await expect.poll(() => page.getByLabel('Item code').last().inputValue()).toBe('SEAL-30');
      await page.getByLabel('Description').press('Control+End');
      await page.keyboard.type(' Tested.');
      await save();
      await press(page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }));
      await page.getByText('Saved as version 3.').waitFor();
      expect((await read()).description).toBe('Belt worn out.\nReplaced. Tested.');
    });

    test('that do not exist yet can be created', async () => {
      const { page } = browser;
      await page.goto(`${gateway.url}/records/tax-withholding-group`);
      await page.getByText('There is none yet.').waitFor();
      const create = page.getByRole('link', { name: 'New Tax Withholding Group' });
      expect(await create.getAttribute('href')).toBe('/records/tax-withholding-group/new');
    });

    test('fit on a phone', async () => {
      const { page } = browser;
      await page.setViewportSize({ width: 360, height: 800 });
      expect(await overflow(page)).toBe(0);
      await page.goto(`${gateway.url}/records/asset-repair`);
      await page.getByText('31 in all').waitFor();
      expect(await overflow(page)).toBe(0);
      await page.setViewportSize({ width: 1100, height: 850 });
    });
  });

  describe('GraphiQL', () => graphiqlTests(() => ({ gateway, browser })));
  describe('the REST reference', () => referenceTests(() => ({ gateway, browser })));

  test('no page logged an error, and nobody else got a request', () => {
    expect(browser.complaints).toEqual([]);
    const elsewhere = browser.requests.filter(
      (url) => !/^(data|blob|about):/.test(url) && new URL(url).origin !== gateway.url,
    );
    expect(elsewhere).toEqual([]);
    expect(browser.requests.length).toBeGreaterThan(10);
  });

  function asked(path: string) {
    return browser.requests.filter((url) => url === gateway.url + path);
  }

  async function giveKey(key: string) {
    await browser.page.getByLabel('API key').fill(key);
    await press(browser.page.getByRole('button', { name: 'Sign in' }));
  }

  async function save() {
    await press(browser.page.getByRole('button', { name: 'Save…' }));
  }

  /** The repair of the press, as stored in the gateway. */
  async function stored() {
    const query = `{ assetRepairs(where: { asset: { eq: "PRESS-7" } }) {
      nodes { id version status repairCost consumedItems { id itemCode totalValue } } } }`;
    return (await gateway.graphql(query)).body.data.assetRepairs.nodes[0];
  }
});

/** 1 to `count`. */
function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
