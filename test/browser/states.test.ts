/**
 * The pages distinguish the state of a document, an enum of three values, from the status of a Serial No, an ordinary
 * text.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { missing, openBrowser } from './browser.js';
import { press } from './press.js';

const reason = missing();
if (reason) console.log(reason);

describe.skipIf(reason)('states and texts on the pages', () => {
  let gateway: TestGateway;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let serialNo = '';

  beforeAll(async () => {
    gateway = await startGateway();
    const { body } = await gateway.graphql(`mutation {
      draft: createAssetRepair(input: { asset: "LATHE-7", failureDate: "2026-11-20" }) { record { id } }
      booked: createAssetRepair(input: { asset: "PRESS-2", failureDate: "2026-11-20" }) { record { id } }
      serial: createSerialNo(input: { serialNo: "GEAR-7", itemCode: "GEAR", company: "ACME", status: "Active" }) { record { id } }
    }`);
    serialNo = body.data.serial.record.id;
    await gateway.rest('POST', `/api/assets/asset-repair/${body.data.booked.record.id}/submit`);
    browser = await openBrowser();
    browser.page.setDefaultTimeout(15_000);
    await browser.page.goto(`${gateway.url}/records/asset-repair#key=${gateway.key}`);
    await browser.page.getByRole('button', { name: 'Sign out' }).waitFor();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(await browser.whatIsSeen());
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  test('a list is filtered by a state, which is chosen, and which an address may name', async () => {
    const { page } = browser;
    await page.getByText('2 in all').waitFor();
    await page.getByLabel('Field').selectOption('status');
    expect(await page.getByLabel('Comparison').locator('option').allInnerTexts()).toEqual(['is', 'is not']);
    await page.getByLabel('Value').selectOption('submitted');
    await press(page.getByRole('button', { name: 'Filter', exact: true }));
    await page.getByText('1 in all').waitFor();
    await page.getByText('Status is submitted').waitFor();
    expect(await page.locator('.rows tbody th').allInnerTexts()).toEqual(['PRESS-2']);
    await page.goto(`${gateway.url}/records/asset-repair?where=status+ne+submitted`);
    await page.getByRole('link', { name: 'LATHE-7' }).waitFor();
    expect(await page.locator('.rows tbody th').allInnerTexts()).toEqual(['LATHE-7']);
    await page.goto(`${gateway.url}/records/asset-repair?where=status+eq+booked`);
    await page.getByRole('alert').getByText('must be one of DRAFT, SUBMITTED, CANCELLED').waitFor();
  });

  test('the status of a Serial No is shown as it is, and edited', async () => {
    const { page } = browser;
    await page.goto(`${gateway.url}/records/serial-no/${serialNo}`);
    const fields = page.getByRole('region', { name: 'Fields' });
    await fields.getByText('Active', { exact: true }).waitFor();
    expect(await page.locator('.badge').count()).toBe(0);
    await press(page.getByRole('button', { name: 'Edit' }));
    await page.getByLabel('Status', { exact: true }).fill('Expired');
    await press(page.getByRole('button', { name: 'Save…' }));
    await press(page.getByRole('button', { name: 'Save', exact: true }));
    await page.getByText('Saved as version 2.').waitFor();
    await fields.getByText('Expired', { exact: true }).waitFor();
    await page.goto(`${gateway.url}/records/serial-no?where=status+contains+expi`);
    await page.getByText('1 in all').waitFor();
  });

  test('no page logged an error', () => {
    expect(browser.complaints).toEqual([]);
  });
});
