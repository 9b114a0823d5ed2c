/** The page of a record: its ways to others, its past, and the way back to it, also after it was deleted. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callerWith } from '../access/keys.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { seriousProblems } from './accessibility.js';
import { missing } from './browser.js';
import { press } from './press.js';
import { overflow, signedIn, type Visit } from './visit.js';

const reason = missing();
if (reason) console.log(reason);

describe.skipIf(reason)('the page of a record', () => {
  const visit = signedIn();
  let gateway: TestGateway;
  let browser: Visit['browser'];
  let id: string;

  beforeAll(() => {
    ({ gateway, browser } = visit());
  });
  beforeEach(async () => {
    id = await created('AssetRepair', {
      asset: 'LATHE-7',
      failureDate: '2026-11-20',
      repairCost: 320.5,
      consumedItems: [
        { itemCode: 'BELT', warehouse: 'Stores', serialNo: 'GEAR-7' },
        { itemCode: 'OIL', warehouse: 'Yard' },
      ],
    });
  });

  test('leads to what it names, lists what names it with counts, and leads from a line to its document', async () => {
    const { page } = browser;
    const serial = await created('SerialNo', { serialNo: 'GEAR-7', itemCode: 'GEAR', company: 'ACME' });
    for (const operation of ['Milling', 'Turning']) await created('JobCard', { ...jobCard, operation });
    await open('asset-repair', id);
    await press(page.getByRole('region', { name: 'Consumed items' }).getByRole('link', { name: 'GEAR-7' }));
    await expect.poll(() => page.url()).toContain(`/records/serial-no/${serial}`);
    const naming = page.getByRole('region', { name: 'Named by' });
    await naming.getByRole('heading', { name: 'Job Card 2' }).waitFor();
    await naming.getByRole('heading', { name: 'Asset Repair Consumed Item 1' }).waitFor();
    expect(await naming.getByRole('link', { name: /Milling|Turning/ }).count()).toBe(2);
    await naming.getByText('of LATHE-7').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await press(naming.getByRole('link', { name: 'BELT' }));
    await page.getByText('Line 1 of LATHE-7').waitFor();
    await press(page.getByRole('link', { name: 'LATHE-7' }));
    await expect.poll(() => page.url()).toContain(`/records/asset-repair/${id}`);
    await open('serial-no', serial);
    await press(button('Delete…'));
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Job Card that names it: 2').waitFor();
    await press(dialog.getByRole('button', { name: 'Keep' }));
  });

  test('shows its fields in groups with headings', async () => {
    const { page } = browser;
    const quotation = {
      ...{ company: 'ACME', transactionDate: '2026-11-20', currency: 'EUR', conversionRate: 1, plcConversionRate: 1 },
      ...{ sellingPriceList: 'Standard', priceListCurrency: 'EUR', customerName: 'Smith', status: 'DRAFT' },
    };
    await open('quotation', await created('Quotation', quotation));
    const fields = page.getByRole('region', { name: 'Fields' });
    await fields.getByRole('heading', { name: 'Amounts', exact: true }).waitFor();
    const headings = await fields.getByRole('heading').allInnerTexts();
    expect(headings.slice(0, 2)).toEqual(['What it is', 'Parties']);
    expect(await seriousProblems(page)).toEqual([]);
  });

  test('says what a delete takes and leaves, and undoes it from the journal: with lines, as a draft, by keyboard alone', async () => {
    const { page } = browser;
    for (const action of ['submit', 'cancel']) await gateway.rest('POST', `/api/assets/asset-repair/${id}/${action}`);
    const list = `${gateway.url}/records/asset-repair?order=asset`;
    await page.goto(list);
    await page.locator('.rows tbody a').first().focus();
    await page.keyboard.press('Enter');
    await button('Delete…').focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 of consumed items deleted with it').waitFor();
    await dialog.getByText('Its history, from which it can be made again with a new id').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await toast('Deleted').waitFor();
    expect(page.url()).toBe(list);
    await page.keyboard.press('F6');
    for (let step = 0; step < 4 && (await focused()) !== 'Undo'; step++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const said = page.getByText('Made again as a draft, with a new id.');
    await said.waitFor();
    expect(await said.textContent()).toContain(`its state (cancelled); texts that name its old id, ${id}`);
    await expect.poll(focused).toBe(await said.textContent());
    const newId = page.url().split('/').at(-1) ?? '';
    expect(newId).not.toBe(id);
    expect(await stored(newId)).toEqual({
      ...{ status: 'DRAFT', asset: 'LATHE-7', repairCost: 320.5 },
      consumedItems: [
        { itemCode: 'BELT', warehouse: 'Stores', serialNo: 'GEAR-7' },
        { itemCode: 'OIL', warehouse: 'Yard', serialNo: null },
      ],
    });
    expect(await seriousProblems(page)).toEqual([]);
  });

  test('shows at the old address of a deleted record what it was and its history, and makes it again', async () => {
    const { page } = browser;
    await gateway.rest('DELETE', `/api/assets/asset-repair/${id}`);
    await open('asset-repair', id);
    await page.getByText('This Asset Repair was deleted by').waitFor();
    await page.getByRole('region', { name: 'History' }).getByText('Version 1 · deleted by').waitFor();
    await page.getByRole('region', { name: 'Consumed items' }).getByText('BELT').waitFor();
    expect(await page.getByText('What does not come back').textContent()).not.toContain('its state');
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 850 });
      expect(await overflow(page)).toBe(0);
    }
    expect(await seriousProblems(page)).toEqual([]);
    await press(button('Make it again'));
    await page.getByText('Made again as a draft, with a new id.').waitFor();
    expect((await stored(page.url().split('/').at(-1) ?? '')).consumedItems).toHaveLength(2);
    await open('asset-repair', 'asset-repair_00000000000000000000000000');
    await page.getByText('There is no Asset Repair with the id').waitFor();
  });

  test('says of what it cannot read now that it cannot be read, and not that it never was', async () => {
    const { page } = browser;
    await gateway.rest('DELETE', `/api/assets/asset-repair/${id}`);
    await page.route('**/graphql', (route) =>
      /history\(id/.test(route.request().postData() ?? '')
        ? route.fulfill({ status: 503, body: '{}' })
        : route.continue(),
    );
    await open('asset-repair', id);
    await page.getByText('The gateway answered 503.').waitFor();
    await page.unroute('**/graphql');
    await press(button('Try again'));
    await page.getByText('This Asset Repair was deleted by').waitFor();
  });

  test('shows an earlier version beside today’s, and restores it with its lines as a change', async () => {
    const { page } = browser;
    const [belt] = (await lines()).slice(0, 1);
    const save =
      'mutation ($id: ID!, $input: SaveAssetRepairInput!) { saveAssetRepair(id: $id, input: $input) { record { id } } }';
    const input = {
      repairCost: 99,
      company: 'ACME',
      consumedItems: [
        { itemCode: 'SEAL', warehouse: 'Van' },
        { id: belt, warehouse: 'Van' },
      ],
    };
    expect((await gateway.graphql(save, { id, input })).body.errors).toBeUndefined();
    await open('asset-repair', id);
    await press(button('Compare version 1 with today’s'));
    const dialog = page.getByRole('dialog', { name: 'Version 1 beside today’s' });
    await dialog.getByText('The gateway has checked it without saving.').waitFor();
    const rows = await dialog.locator('tbody tr').allInnerTexts();
    expect(rows.map((row) => row.replace(/\s+/g, ' ').trim())).toEqual(
      expect.arrayContaining([
        'Repair cost 320.50 99.00',
        'Company — ACME',
        'Consumed items, line 1: Warehouse Stores Van',
        'Consumed items, line 2: Item code OIL —',
        'Consumed items, line 1: Item code — SEAL',
      ]),
    );
    expect(await seriousProblems(page)).toEqual([]);
    expect((await stored(id)).repairCost).toBe(99);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Version 1 is restored, as version 3.').waitFor();
    expect(await stored(id)).toMatchObject({
      repairCost: 320.5,
      consumedItems: [
        { itemCode: 'BELT', warehouse: 'Stores' },
        { itemCode: 'OIL', warehouse: 'Yard' },
      ],
    });
    expect((await lines())[0]).toBe(belt);
    await press(button('Compare version 1 with today’s'));
    await dialog.getByText(/lines, others or in another order|nothing to restore/).waitFor();
    await press(dialog.getByRole('button', { name: 'Close' }));
  });

  test('restores nothing over a change of somebody else, and nothing for those who may not change it', async () => {
    const { page } = browser;
    const change = (company: string) => gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { company });
    await change('ACME');
    await gateway.rest('POST', `/api/assets/asset-repair/${id}/submit`);
    await open('asset-repair', id);
    await press(button('Compare version 1 with today’s'));
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The gateway has checked it without saving.').waitFor();
    await dialog.getByText('is submitted: others may have acted on what it says.').waitFor();
    await change('Sawmill');
    await press(dialog.getByRole('button', { name: 'Restore version 1' }));
    await page.getByText('Somebody else has changed it, so nothing was restored.').waitFor();
    expect((await stored(id, 'company')).company).toBe('Sawmill');
    const reader = await browser.openPage();
    const { secret } = await callerWith(gateway, 'assets:read');
    await reader.goto(`${gateway.url}/records/asset-repair/${id}#key=${secret}`);
    await press(reader.getByRole('button', { name: 'Compare version 1 with today’s' }));
    await reader.getByRole('dialog').getByText('lacks the scope `assets:write`').waitFor();
    expect(await reader.getByRole('button', { name: 'Restore version 1' }).isDisabled()).toBe(true);
    expect(await seriousProblems(reader)).toEqual([]);
    await gateway.rest('DELETE', `/api/assets/asset-repair/${id}`);
    await reader.reload();
    await reader.getByText('This Asset Repair was deleted by').waitFor();
    expect(await reader.getByRole('button', { name: 'Make it again' }).count()).toBe(0);
    await reader.goto(`${gateway.url}/records/asset-repair/new`);
    await reader.getByText('You may not make a record of Asset Repair.').waitFor();
    await reader.context().close();
  });

  test('leads from a deleted line to its document, of which an earlier version brings it back', async () => {
    const { page } = browser;
    await open('asset-repair-consumed-item', (await lines())[1] ?? '');
    await page.getByText('Line 2 of LATHE-7').waitFor();
    await press(button('Delete…'));
    await page.getByText('LATHE-7, of which it is a line').waitFor();
    await press(button('Delete'));
    await toast('An earlier version of the document has it still.').waitFor();
    await expect.poll(() => page.url()).toBe(`${gateway.url}/records/asset-repair/${id}`);
    await press(button('Compare version 1 with today’s'));
    await press(button('Restore version 1'));
    await page.getByText('Version 1 is restored, as version 3.').waitFor();
    expect((await stored(id, 'consumedItems { itemCode }')).consumedItems).toEqual([
      { itemCode: 'BELT' },
      { itemCode: 'OIL' },
    ]);
  });

  test('leads to all versions, page by page', async () => {
    for (let cost = 1; cost <= 25; cost++)
      await gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { repair_cost: cost });
    await open('asset-repair', id);
    await press(button('Show older versions'));
    await button('Compare version 1 with today’s').waitFor();
    expect(await button('Show older versions').count()).toBe(0);
  });

  test('offers no way back where no journal is kept', async () => {
    const plain = await startGateway({ env: { JOURNAL: 'false' } });
    const page = await browser.openPage();
    const body = { asset: 'SAW-1', failure_date: '2026-11-20' };
    const made = (await plain.rest('POST', '/api/assets/asset-repair', body)).body.id;
    await page.goto(`${plain.url}/records/asset-repair/${made}#key=${plain.key}`);
    await press(page.getByRole('button', { name: 'Delete…' }));
    const dialog = page.getByRole('dialog');
    await dialog.getByText('no journal is kept here').waitFor();
    await press(dialog.getByRole('button', { name: 'Delete' }));
    const happened = page.getByRole('region', { name: 'What has happened' });
    await happened.getByText('Deleted').waitFor();
    expect(await happened.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await page.goto(`${plain.url}/records/asset-repair/${made}`);
    await page.getByText('There is no Asset Repair with the id').waitFor();
    await page.context().close();
    await plain.close();
  });

  test('no page logged an error', () => {
    expect(browser.complaints).toEqual([]);
  });

  const jobCard = { workOrder: 'WO-1', serialNo: 'GEAR-7' };
  const button = (name: string) => browser.page.getByRole('button', { name, exact: true });
  const toast = (words: string) => browser.page.getByRole('region', { name: 'What has happened' }).getByText(words);
  const focused = () => browser.page.evaluate('document.activeElement.textContent');
  const open = (slug: string, one: string) => browser.page.goto(`${gateway.url}/records/${slug}/${one}`);

  async function created(model: string, input: object): Promise<string> {
    const create = `mutation ($input: Create${model}Input!) { create${model}(input: $input) { record { id } } }`;
    const { body } = await gateway.graphql(create, { input });
    expect(body.errors).toBeUndefined();
    return body.data[`create${model}`].record.id;
  }

  async function stored(one: string, fields = 'status asset repairCost consumedItems { itemCode warehouse serialNo }') {
    const query = `query ($id: ID!) { assetRepair(id: $id) { ${fields} } }`;
    return (await gateway.graphql(query, { id: one })).body.data.assetRepair;
  }

  async function lines(): Promise<string[]> {
    const { consumedItems } = await stored(id, 'consumedItems { id }');
    return consumedItems.map((line: { id: string }) => line.id);
  }
});
