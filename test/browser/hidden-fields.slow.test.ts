/** What the roles of somebody hide is neither empty nor to be filled in, and an undo says that it does not come back. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../src/features/keys/api-keys.js';
import { rolesFile } from '../access/roles.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { missing, openBrowser } from './browser.js';
import { press } from './press.js';

const reason = missing();
if (reason) console.log(reason);

const storekeeper = {
  scopes: ['assets:read', 'assets:write', 'assets:delete'],
  types: { AssetRepair: { read: true, create: true, update: true, delete: true } },
  hide: { AssetRepair: ['repairCost'], AssetRepairConsumedItem: ['totalValue'] },
};

describe.skipIf(reason)('somebody from whom roles hide fields', () => {
  let gateway: TestGateway;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let page: Page;
  let id: string;

  beforeAll(async () => {
    gateway = await startGateway({ env: { ROLES: rolesFile({ storekeeper }) } });
    const { body } = await gateway.graphql(
      'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }',
      {
        input: {
          ...{ asset: 'LATHE-7', failureDate: '2026-11-20', repairCost: 320.5 },
          consumedItems: [{ itemCode: 'BELT', warehouse: 'Stores', totalValue: 9 }],
        },
      },
    );
    id = body.data.createAssetRepair.record.id;
    const { secret } = await createKey(gateway.database, { name: 'Stores', roles: ['storekeeper'] });
    browser = await openBrowser();
    page = browser.page;
    page.setDefaultTimeout(20_000);
    await page.goto(`${gateway.url}/records/asset-repair#key=${secret}`);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(await browser.whatIsSeen());
  });

  test('is shown no such column, filter or field, nor called it empty', async () => {
    await page.getByRole('link', { name: 'LATHE-7' }).waitFor();
    const fields = () => page.getByLabel('Field', { exact: true }).locator('option').allTextContents();
    await expect.poll(fields).not.toContain('Repair cost');
    expect(await fields()).toContain('Total repair cost');
    await press(page.getByRole('link', { name: 'LATHE-7' }));
    await press(page.getByText(/empty fields$/));
    const empty = page.locator('.empty-fields');
    await empty.getByText('Total repair cost').waitFor();
    expect((await empty.locator('p').textContent())?.split(', ')).not.toContain('Repair cost');
    await press(page.getByRole('button', { name: 'Edit', exact: true }));
    await page.getByLabel('Total repair cost', { exact: true }).waitFor();
    expect(await page.getByLabel('Repair cost', { exact: true }).count()).toBe(0);
    await page.getByLabel('Item code, line 1').fill('SEAL');
    expect(await page.getByLabel('Total value, line 1').count()).toBe(0);
    await press(page.getByRole('button', { name: 'Save…' }));
    await press(page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }));
    await page.getByText('Saved as version 2.').waitFor();
    expect(await stored()).toEqual([{ repairCost: 320.5, consumedItems: [{ itemCode: 'SEAL', totalValue: 9 }] }]);
  });

  test('is told by an undo what does not come back', async () => {
    await press(page.getByRole('button', { name: 'Delete…' }));
    await press(page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }));
    await press(page.getByRole('button', { name: 'Undo' }));
    await page.getByText('Repair cost (hidden from you); Total value (hidden from you)').waitFor();
    expect(page.url()).not.toContain(id);
    expect(await stored()).toEqual([{ repairCost: 0, consumedItems: [{ itemCode: 'SEAL', totalValue: null }] }]);
  });

  test('logged no errors', () => {
    expect(browser.complaints).toEqual([]);
  });

  const stored = async () =>
    (await gateway.graphql('{ assetRepairs { nodes { repairCost consumedItems { itemCode totalValue } } } }')).body.data
      .assetRepairs.nodes;
});
