/** People make records and change them: as they do it, by the mouse, by the keyboard alone, and from a spreadsheet. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { seriousProblems } from './accessibility.js';
import { missing } from './browser.js';
import { drag, paste, press, scroll } from './press.js';
import { fitsOnPhone, overflow, signedIn, type Visit } from './visit.js';

const reason = missing();
if (reason) console.log(reason);

describe.skipIf(reason)('somebody who makes and changes records', () => {
  const visit = signedIn();
  let gateway: TestGateway;
  let browser: Visit['browser'];
  let page: Page;

  beforeAll(() => {
    ({ gateway, browser } = visit());
    page = browser.page;
  });

  test('makes a document with its lines in one save, from the list, and is told in words what is missing', async () => {
    await page.goto(`${gateway.url}/records/asset-repair`);
    await press(page.getByRole('link', { name: 'New Asset Repair' }));
    await page.getByRole('heading', { name: 'New Asset Repair' }).waitFor();
    expect(await page.getByLabel('Repair status', { exact: true }).inputValue()).toBe('Pending');
    for (const heading of ['What it is', 'Amounts', 'Dates and times']) {
      await page.getByRole('region', { name: heading, exact: true }).waitFor();
    }
    await press(button('Add a line').first());
    await press(button('Create…'));
    const alert = page.getByRole('alert');
    await alert.getByText('Asset is required', { exact: true }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await grid().getByText('Line 1: Item code is required').waitFor();
    expect(await page.locator('main').textContent()).not.toContain('input.');
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-invalid")')).toBe('true');
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByLabel(/^Asset( \*)?$/).fill('LATHE-1');
    await page.getByLabel(/^Failure date/).fill('2026-11-20');
    await cell('Item code', 1).fill('SEAL');
    await cell('Warehouse', 1).fill('Stores');
    await page.getByLabel('Repair cost', { exact: true }).fill('1,200.50');
    await press(button('Create…'));
    const dialog = page.getByRole('dialog', { name: 'Create this Asset Repair?' });
    await dialog.getByText('Consumed items: 1 added').waitFor();
    expect(await stored()).toEqual([]);
    await press(dialog.getByRole('button', { name: 'Create', exact: true }));
    await page.getByRole('region', { name: 'What has happened' }).getByText('Created').waitFor();
    await button('Edit').waitFor();
    expect(await stored()).toMatchObject([
      { asset: 'LATHE-1', repairCost: 1200.5, repairStatus: 'Pending', consumedItems: [{ itemCode: 'SEAL' }] },
    ]);
  });

  test('duplicates it, with its lines, under a new id', async () => {
    await press(page.getByRole('link', { name: 'Duplicate' }));
    await page.getByRole('heading', { name: 'New Asset Repair' }).waitFor();
    await page.getByLabel(/^Asset( \*)?$/).fill('LATHE-2');
    expect(await page.getByLabel('Repair cost', { exact: true }).inputValue()).toBe('1,200.5');
    await press(button('Create…'));
    await press(page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }));
    await page.getByRole('heading', { name: 'LATHE-2' }).waitFor();
    const [first, second] = await stored();
    expect(second).toMatchObject({ asset: 'LATHE-2', repairCost: 1200.5, consumedItems: [{ itemCode: 'SEAL' }] });
    expect(second.consumedItems[0].id).not.toBe(first.consumedItems[0].id);
  });

  test('adds a line at its record, and is back at it', async () => {
    const address = page.url();
    await press(page.getByRole('region', { name: 'Consumed items' }).getByRole('link', { name: 'Add one' }));
    await page.getByLabel(/^Item code/).fill('OIL');
    await page.getByLabel(/^Warehouse/).fill('Yard');
    await press(button('Create…'));
    await press(page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }));
    await button('Edit').waitFor();
    expect(page.url()).toBe(address);
    expect((await stored())[1].consumedItems.map(({ itemCode }: { itemCode: string }) => itemCode)).toEqual([
      'SEAL',
      'OIL',
    ]);
  });

  test('is asked before what was typed into a new record is left, and not before', async () => {
    await page.goto(`${gateway.url}/records/industry-type/new`);
    await press(button('Discard'));
    await expect.poll(() => page.url()).toBe(`${gateway.url}/records/industry-type`);
    await press(page.getByRole('link', { name: 'New Industry Type' }));
    await page.getByLabel(/^Industry/).fill('Milling');
    await press(page.getByRole('link', { name: 'Records', exact: true }).first());
    await press(button('Stay here'));
    expect(await page.getByLabel(/^Industry/).inputValue()).toBe('Milling');
    await press(button('Discard'));
    await page.getByRole('link', { name: 'New Industry Type' }).waitFor();
  });

  test('works in the lines by the keyboard alone: arrows, Enter, moving, and Ctrl-S', async () => {
    const id = await create('SAW-1', ['A', 'B', 'C']);
    await page.goto(`${gateway.url}/records/asset-repair/${id}`);
    await button('Edit').press('Enter');
    await cell('Item code', 1).focus();
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('Item code, line 2');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('Valuation rate, line 2');
    await page.keyboard.type('1,200.50');
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('Valuation rate, line 3');
    await page.keyboard.type('2');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowLeft');
    expect(await focused()).toBe('Item code, line 2');
    await page.keyboard.press('Alt+ArrowUp');
    expect(await focused()).toBe('Item code, line 1');
    expect(await codes()).toEqual(['B', 'A', 'C']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Item code, line 4');
    await page.keyboard.type('D');
    await cell('Warehouse', 4).focus();
    await page.keyboard.type('Yard');
    await cell('Total value', 1).focus();
    await page.keyboard.type('10');
    await page.keyboard.press('Enter');
    await page.keyboard.type('5.5');
    await expect.poll(() => grid().locator('tfoot').textContent()).toContain('15.5');
    await page.keyboard.press('Control+s');
    await page.getByRole('dialog').getByText('Consumed items: 1 added').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    // What the dialog shows is not tried again below it.
    await page.keyboard.press('Control+s');
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await page.getByText('Saved as version 2.').waitFor();
    expect(sent.filter((body) => body.includes('"validateOnly":true'))).toEqual([]);
    expect((await read(id)).consumedItems).toMatchObject([
      { itemCode: 'B', valuationRate: 1200.5, totalValue: 10 },
      { itemCode: 'A', totalValue: 5.5 },
      { itemCode: 'C', valuationRate: 2 },
      { itemCode: 'D' },
    ]);
  });

  test('drags a line elsewhere, and pastes cells of a spreadsheet over lines and new ones', async () => {
    const id = await create('SAW-2', ['A', 'B', 'C']);
    await page.goto(`${gateway.url}/records/asset-repair/${id}`);
    await press(button('Edit'));
    await drag(page, button('Drag line 1 elsewhere'), button('Drag line 3 elsewhere'));
    expect(await codes()).toEqual(['B', 'C', 'A']);
    await cell('Item code', 3).focus();
    await paste(page, 'PUMP\t1,200.50\t2\nBELT\t3\t4\n');
    await expect.poll(codes).toEqual(['B', 'C', 'PUMP', 'BELT']);
    // Columns beyond the last one are said to be left out.
    await grid().locator('tr[data-index="1"] td').nth(-2).locator('input, select').focus();
    await paste(page, 'no\tof no column');
    await page.getByRole('alert').getByText('Only 1 of the columns fits here').waitFor();
    await cell('Warehouse', 4).fill('Yard');
    await press(button('Save…'));
    await press(page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }));
    await page.getByText('Saved as version 2.').waitFor();
    expect((await read(id)).consumedItems).toMatchObject([
      { itemCode: 'B' },
      { itemCode: 'C' },
      { itemCode: 'PUMP', valuationRate: 1200.5, consumedQuantity: '2' },
      { itemCode: 'BELT', valuationRate: 3, consumedQuantity: '4', warehouse: 'Yard' },
    ]);
  });

  test('edits a thousand lines, each key in less than 100 ms, and is led to the one that is wrong', async () => {
    const id = await create(
      'SAW-3',
      Array.from({ length: 1000 }, (_, index) => `ITEM-${index + 1}`),
    );
    await page.goto(`${gateway.url}/records/asset-repair/${id}`);
    await press(button('Edit'));
    await cell('Item code', 1).focus();
    expect(await grid().locator('tbody tr').count()).toBeLessThan(60);
    await page.evaluate(`keys = []; addEventListener('keydown', () => {
      const begun = performance.now();
      requestAnimationFrame(() => setTimeout(() => keys.push(performance.now() - begun)));
    }, true)`);
    const metrics = await page.context().newCDPSession(page);
    await metrics.send('Performance.enable', { timeDomain: 'threadTicks' });
    const processorTime = async () =>
      (await metrics.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ??
      Number.NaN;
    const before = await processorTime();
    await page.keyboard.type('PUMP-77 of steel');
    for (let count = 0; count < 30; count++) await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('Item code, line 31');
    const keys: number[] = await page.evaluate('keys.sort((one, other) => one - other)');
    const busy = (1000 * ((await processorTime()) - before)) / keys.length;
    console.log('ms a key: busy', busy, 'median', keys[Math.floor(keys.length / 2)], 'worst', keys.at(-1));
    // What a key costs the page, of the processor: how soon it is there too, the machine may be busy with other things.
    expect(busy).toBeLessThan(100);
    await scroll(page, grid().locator('.grid'), 100_000);
    await cell('Item code', 1000).fill('');
    await scroll(page, grid().locator('.grid'), -100_000);
    await expect.poll(() => cell('Item code', 1).count()).toBe(1);
    await press(button('Save…'));
    await page
      .getByRole('alert')
      .getByText(/^Line 1000: Item code /)
      .waitFor();
    await grid()
      .getByText(/^Line 1000: Item code /)
      .waitFor();
    await press(button('Discard changes'));
    await press(button('Edit'));
    await button('Discard changes').waitFor();
    await press(button('Discard changes'));
  });

  test('finds the record that a text names, and the way to it', async () => {
    const serial = { serialNo: 'SN-778', itemCode: 'SEAL', company: 'ACME' };
    const made = await gateway.graphql(
      'mutation ($input: CreateSerialNoInput!) { createSerialNo(input: $input) { record { id } } }',
      { input: serial },
    );
    const serialId = made.body.data.createSerialNo.record.id;
    const job = await gateway.graphql('mutation { createJobCard(input: { operation: "Cutting" }) { record { id } } }');
    const id = job.body.data.createJobCard.record.id;
    await page.goto(`${gateway.url}/records/job-card/${id}`);
    await press(button('Edit'));
    const field = page.getByLabel('Serial no', { exact: true });
    await press(field);
    await field.pressSequentially('778');
    const option = page.getByRole('option', { name: 'SN-778' });
    await option.waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await press(option);
    expect(await field.inputValue()).toBe('SN-778');
    const way = page.getByRole('link', { name: 'Open the Serial No SN-778' });
    expect(await way.getAttribute('href')).toBe(`/records/serial-no/${serialId}`);
    await field.fill('SN-unknown');
    await way.waitFor({ state: 'detached' });
    await field.fill('SN-778');
    await press(button('Save…'));
    await press(page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }));
    await page.getByText('Saved as version 2.').waitFor();
  });

  test('asks which number is meant where a comma may part thousands or decimals', async () => {
    const id = await create('SAW-4', []);
    await page.goto(`${gateway.url}/records/asset-repair/${id}`);
    await press(button('Edit'));
    await page.getByLabel('Repair cost', { exact: true }).fill('1,200');
    await page.getByLabel('Company', { exact: true }).focus();
    await page.getByText('Is it 1200 or 1.200?').waitFor();
    await press(button('Save…'));
    await page.getByRole('alert').getByText('Repair cost must be a number').waitFor();
    expect((await read(id)).repairCost).toBe(0);
    await page.getByLabel('Repair cost', { exact: true }).fill('1200');
    await page.getByLabel('Company', { exact: true }).focus();
    expect(await page.getByLabel('Repair cost', { exact: true }).inputValue()).toBe('1,200');
    await press(button('Discard changes'));
  });

  test('reads and writes numbers as their language does, and no other number is saved', async () => {
    const id = await create('SAW-6', ['A']);
    const german = await browser.openPage('de-DE');
    const cost = german.getByLabel('Repair cost', { exact: true });
    const leave = () => german.getByLabel('Company', { exact: true }).focus();
    await german.goto(`${gateway.url}/records/asset-repair/${id}#key=${gateway.key}`);
    const edit = german.getByRole('button', { name: 'Edit' });
    const save = async (version: number) => {
      await press(german.getByRole('button', { name: 'Save…' }));
      await press(german.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }));
      await german.getByText(`Saved as version ${version}.`).waitFor();
    };
    await press(edit);
    await cost.fill('1.200');
    await leave();
    await german.getByText('Is it 1200 or 1,200? Write it without the point.').waitFor();
    await cost.fill('1,234');
    await save(2);
    expect((await read(id)).repairCost).toBe(1.234);
    await press(edit);
    await cost.focus();
    expect(await cost.inputValue()).toBe('1,234');
    await german.getByLabel('Asset name', { exact: true }).fill('only this');
    await save(3);
    expect(await read(id)).toMatchObject({ repairCost: 1.234 });
    await press(edit);
    await cost.fill('1.200,50');
    await leave();
    expect(await cost.inputValue()).toBe('1.200,5');
    await save(4);
    expect((await read(id)).repairCost).toBe(1200.5);
    await german.getByText('1.200,50').first().waitFor();
    // A filter is a link for readers of every language.
    await german.goto(`${gateway.url}/records/asset-repair`);
    await german.getByLabel('Field').selectOption('repairCost');
    await german.getByLabel('Comparison').selectOption('eq');
    await german.getByLabel('Value').fill('1.200,50');
    await press(german.getByRole('button', { name: 'Filter', exact: true }));
    await expect.poll(() => german.url()).toContain('1200.5');
    await page.goto(german.url());
    await page.getByRole('link', { name: 'only this' }).waitFor();
    expect(await page.getByRole('link', { name: 'SAW-4' }).count()).toBe(0);
    await german.context().close();
  });

  test('is warned before a submitted document is changed', async () => {
    const id = await create('SAW-5', []);
    await gateway.graphql('mutation ($id: ID!) { submitAssetRepair(id: $id) { record { id } } }', { id });
    await page.goto(`${gateway.url}/records/asset-repair/${id}`);
    await press(button('Edit'));
    await page.getByText('This Asset Repair is submitted').waitFor();
    await press(button('Discard changes'));
  });

  test.each([360, 768, 1440, 1920])('has the whole form and its saving in sight at %i px', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    for (const path of ['quotation/new', 'job-card/new', 'asset-repair/new']) {
      await page.goto(`${gateway.url}/records/${path}`);
      await button('Create…').waitFor();
      if (path !== 'quotation/new') await press(button('Add a line').first());
      expect(await overflow(page)).toBe(0);
      await scroll(page, page.locator('main'), 3000);
      await page.waitForTimeout(100);
      const bar = await button('Create…').boundingBox();
      expect(bar && bar.y >= 0 && bar.y < 900).toBe(true);
      expect(await seriousProblems(page)).toEqual([]);
      await press(button('Discard'));
    }
    await fitsOnPhone(page);
  });

  test('no page logged an error', () => {
    expect(browser.complaints).toEqual([]);
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const grid = () => page.getByRole('region', { name: 'Consumed items' });
  const cell = (label: string, line: number) => page.getByLabel(`${label}, line ${line}`, { exact: true });
  const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
  const codes = async () =>
    Promise.all((await page.getByLabel(/^Item code, line/).all()).map((one) => one.inputValue()));

  async function create(asset: string, codes: string[]): Promise<string> {
    const consumedItems = codes.map((itemCode) => ({ itemCode, warehouse: 'Stores' }));
    const made = await gateway.graphql(
      'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }',
      { input: { asset, failureDate: '2026-11-20', consumedItems } },
    );
    return made.body.data.createAssetRepair.record.id;
  }

  async function read(id: string) {
    const query = `query ($id: ID!) { assetRepair(id: $id) {
      repairCost consumedItems { itemCode valuationRate consumedQuantity totalValue warehouse } } }`;
    return (await gateway.graphql(query, { id })).body.data.assetRepair;
  }

  async function stored() {
    const query = `{ assetRepairs(orderBy: [{ field: ID }], where: { asset: { startsWith: "LATHE" } }) {
      nodes { asset repairCost repairStatus consumedItems { id itemCode } } } }`;
    return (await gateway.graphql(query)).body.data.assetRepairs.nodes;
  }
});
