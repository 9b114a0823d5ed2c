/** The example front end, built, and used by a person in a real browser. The tests are one visit, in this order. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshFolder } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { missing, openBrowser } from './browser.js';
import { serveFolder } from './static-server.js';

const desk = fileURLToPath(new URL('../../examples/repair-desk', import.meta.url));
const vite = `${desk}/node_modules/vite/bin/vite.js`;
const reason = missing(vite);
if (reason) console.log(reason);

describe.skipIf(reason)('the repair desk', () => {
  let gateway: TestGateway;
  let site: Awaited<ReturnType<typeof serveFolder>>;
  let browser: Awaited<ReturnType<typeof openBrowser>>;

  beforeAll(async () => {
    const built = freshFolder();
    execFileSync(process.execPath, [vite, 'build', '--outDir', built, '--logLevel', 'error'], { cwd: desk });
    gateway = await startGateway();
    await createRepairs();
    site = await serveFolder(built, gateway.url);
    browser = await openBrowser();
    await browser.page.goto(site.url);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await gateway?.close();
  });

  test('refuses a wrong key, and keeps a right one for this tab only', async () => {
    const { page } = browser;
    await giveKey('wrong');
    await page.getByText('The gateway does not know this key.').waitFor();
    await giveKey(gateway.key);
    await page.getByText('14 in all').waitFor();
    const stores = await page.evaluate('[Object.values(sessionStorage), Object.values(localStorage), document.cookie]');
    expect(stores).toEqual([[gateway.key], [], '']);
  });

  test('pages through the repairs, newest first', async () => {
    const { page } = browser;
    expect(await assets()).toEqual(upTo(10).map((count) => `LATHE-${14 - count}`));
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Page 2').waitFor();
    await page.getByRole('link', { name: 'PRESS-2' }).waitFor();
    expect(await assets()).toEqual(['LATHE-3', 'LATHE-2', 'LATHE-1', 'PRESS-2']);
    expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
  });

  test('narrows them by asset', async () => {
    const { page } = browser;
    await page.getByLabel('Asset contains').fill('PRESS');
    await page.getByText('1 in all').waitFor();
    expect(await assets()).toEqual(['PRESS-2']);
  });

  test('saves a changed line and a new one with their repair, as a reload shows', async () => {
    const { page } = browser;
    await page.getByRole('link', { name: 'PRESS-2' }).click();
    await field('Repair cost').fill('320');
    await field('Quantity').first().fill('3');
    await page.getByRole('button', { name: 'Add a line' }).click();
    await field('Item').last().fill('BELT');
    await field('Warehouse').last().fill('Stores');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();

    await page.reload();
    await page.getByText('version 2').waitFor();
    expect(await shown()).toEqual({ cost: '320', items: ['SEAL', 'OIL', 'BELT'], quantities: ['3', '', ''] });
    expect(await stored()).toMatchObject({
      version: 2,
      repairCost: 320,
      consumedItems: [
        { itemCode: 'SEAL', consumedQuantity: '3' },
        { itemCode: 'OIL', consumedQuantity: null },
        { itemCode: 'BELT', consumedQuantity: null },
      ],
    });
  });

  test('tells what is wrong at the field it is wrong with, and saves nothing', async () => {
    const { page } = browser;
    await field('Item').nth(1).fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    const cell = page.getByRole('cell').filter({ has: page.locator('[aria-invalid=true]') });
    await cell.first().waitFor();
    expect(await cell.allInnerTexts()).toEqual(['A value is needed.']);
    expect((await stored()).version).toBe(2);
    await field('Item').nth(1).fill('OIL');
  });

  test('shows what a stale save would overwrite, and takes the newer one', async () => {
    const { page } = browser;
    await field('Repair cost').fill('1');
    await someoneSaves('{ repairCost: 400, company: "Sawmill" }');
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await conflict()).toEqual([
      ['Repair cost', 'changed by both', '400', '1'],
      ['Company', 'changed by others', 'Sawmill', '—'],
    ]);
    await page.getByRole('button', { name: 'Take the newer one' }).click();
    await page.getByText('version 3').waitFor();
    expect((await shown()).cost).toBe('400');
    expect(await stored()).toMatchObject({ version: 3, repairCost: 400 });
  });

  test('shows the same of lines, and saves over the newer one when told to', async () => {
    const { page } = browser;
    await field('Quantity').nth(1).fill('2');
    const { consumedItems } = await stored();
    await someoneSaves(`{ description: "leaks", consumedItems: [{ id: "${consumedItems[0].id}" }] }`);
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await conflict()).toEqual([
      ['What is wrong', 'changed by others', 'leaks', '—'],
      ['Line OIL', 'changed by both', '—', 'Item OIL, Warehouse Stores, Quantity 2'],
      ['Line BELT', 'changed by others', '—', 'Item BELT, Warehouse Stores'],
    ]);
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await page.getByText('version 5').waitFor();
    expect(await shown()).toEqual({ cost: '400', items: ['SEAL', 'OIL', 'BELT'], quantities: ['3', '2', ''] });
    expect(await stored()).toMatchObject({ version: 5, description: null, consumedItems: [{}, {}, {}] });
  });

  test('submits, after which nothing can be edited, and the list knows', async () => {
    const { page } = browser;
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Submitted.').waitFor();
    expect((await stored()).status).toBe('submitted');
    expect(await field('Repair cost').isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: /Save|Submit/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'All repairs' }).click();
    await page.getByLabel('Status').selectOption('submitted');
    await page.getByText('1 in all').waitFor();
    expect(await assets()).toEqual(['PRESS-2']);
  });

  test('complained of nothing, and asked nobody else', () => {
    expect(browser.complaints).toEqual([]);
    expect(browser.requests.filter((url) => !url.startsWith(`${site.url}/`))).toEqual([]);
  });

  async function createRepairs() {
    const press = {
      asset: 'PRESS-2',
      failureDate: '2026-11-20',
      repairCost: 300,
      consumedItems: ['SEAL', 'OIL'].map((itemCode) => ({ itemCode, warehouse: 'Stores' })),
    };
    const lathes = upTo(13).map((count) => ({ asset: `LATHE-${count}`, failureDate: '2026-11-21' }));
    const create = 'mutation ($inputs: [CreateAssetRepairInput!]!) { createManyAssetRepairs(inputs: $inputs) { id } }';
    expect((await gateway.graphql(create, { inputs: [press, ...lathes] })).body.errors).toBeUndefined();
  }

  /** The press as the gateway has it. */
  async function stored() {
    const query = `{ assetRepairs(where: { asset: { eq: "PRESS-2" } }) { nodes {
      id version status repairCost description consumedItems { id itemCode consumedQuantity } } } }`;
    return (await gateway.graphql(query)).body.data.assetRepairs.nodes[0];
  }

  async function someoneSaves(input: string) {
    const save = `mutation ($id: ID!) { saveAssetRepair(id: $id, input: ${input}) { record { id } } }`;
    expect((await gateway.graphql(save, { id: (await stored()).id })).body.errors).toBeUndefined();
  }

  async function giveKey(key: string) {
    await browser.page.getByLabel('API key').fill(key);
    await browser.page.getByRole('button', { name: 'Open the desk' }).click();
  }

  function assets() {
    return browser.page.locator('.rows tbody a').allInnerTexts();
  }

  function field(label: string) {
    return browser.page.locator('form').getByLabel(label, { exact: true });
  }

  /** What stands in the form. */
  async function shown() {
    const values = async (label: string) => Promise.all((await field(label).all()).map((input) => input.inputValue()));
    const [cost] = await values('Repair cost');
    return { cost, items: await values('Item'), quantities: await values('Quantity') };
  }

  /** The rows of the conflict: the field, who changed it, what is there, what is mine. */
  async function conflict() {
    const dialog = browser.page.getByRole('alertdialog');
    await dialog.waitFor();
    const rows = await dialog.locator('tbody tr').allInnerTexts();
    return rows.map((row) => row.split(/[\t\n]+/).map((text) => text.trim()));
  }
});

/** 1 to `count`. */
function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
