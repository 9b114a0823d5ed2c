/** Search and links in the example front end. The tests are one visit, in this order. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../src/access/api-keys.js';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { seriousProblems } from './accessibility.js';
import { type Desk, Person, startDesk } from './desk.js';
import { press } from './press.js';

export function linkedAndFound(database: Provider): void {
  let desk: Desk;
  let ann: Person;
  let bundle = '';

  beforeAll(async () => {
    desk = await startDesk({ database });
    await createRecords();
    const before = desk.gateway().statements.length;
    ann = new Person(desk.browser.page);
    await ann.page.goto(desk.url);
    await ann.giveKey(desk.gateway().key);
    await ann.said('3 in all');
    // The desk finds out whether the gateway searches without a real search, which would take long in a large table.
    expect(
      desk
        .gateway()
        .statements.slice(before)
        .filter((sql) => sql.includes('SearchText')),
    ).toEqual([]);
  });
  afterAll(() => desk?.close());

  test('finds words of repairs and of their items, whatever their case, the best first', async () => {
    await ann.page.getByLabel('Search').fill('säge');
    await ann.said('2 in all');
    expect(await assets()).toEqual(['SÄGE-1', 'PRESS-2']);
    await ann.page.getByLabel('Search').fill('sage bel');
    await ann.said('1 in all');
    expect(await assets()).toEqual(['SÄGE-1']);
  });

  test('shows at once what somebody else creates, and removes what the search no longer finds', async () => {
    const { id } = await createRepair('SAGE-9', [{ itemCode: 'BELT' }]);
    await ann.said('2 in all');
    await desk.graphql(
      'mutation ($id: ID!) { updateAssetRepair(id: $id, input: { asset: "SAW-9" }) { record { id } } }',
      {
        id,
      },
    );
    await ann.said('1 in all');
    expect(await assets()).toEqual(['SÄGE-1']);
    await ann.page.getByLabel('Search').fill('a b c d e f g h i');
    await ann.said(/at most 8 words/);
  });

  test('shows the record that a line names, as long as it names it', async () => {
    await ann.page.getByLabel('Search').fill('press');
    await ann.open('PRESS-2');
    await link('Serial No GEAR-7').waitFor();
    expect(await ann.valuesOf('Serial numbers')).toEqual(['GEAR-7', 'NONE OF\nOURS', '']);
    expect(await ann.page.locator('.lines a').count()).toBe(1);
    await ann.field('Serial numbers').first().fill('GEAR-8');
    expect(await ann.page.locator('.lines a').count()).toBe(0);
    await ann.field('Serial numbers').nth(2).fill('GEAR-7');
    await ann.save();
    await expect.poll(() => ann.page.locator('.lines a').allInnerTexts()).toEqual(['Serial No GEAR-7']);
    expect((await ann.valuesOf('Serial numbers'))[1]).toBe('NONE OF\nOURS');
  });

  test('follows it, and leads back to the repairs that use it', async () => {
    await press(link('Serial No GEAR-7'));
    await ann.page.getByRole('heading', { name: 'GEAR-7' }).waitFor();
    await ann.said('Serial No, version 1');
    await ann.said('delete: allowed');
    expect(await ann.page.getByRole('article').getByRole('listitem').allInnerTexts()).toEqual([
      'update: allowed',
      'delete: allowed',
      'Asset Repair PRESS-2 as OIL draft',
      'Asset Repair SÄGE-1 as BELT draft',
    ]);
    expect(await seriousProblems(ann.page)).toEqual([]);
    await press(link('Asset Repair PRESS-2'));
    await ann.said('Asset Repair, version 2');
  });

  test('shows a record of any other type by the same heading', async () => {
    await ann.page.goto(`${desk.url}/#/records/${bundle}`);
    await ann.page.getByRole('heading', { name: bundle }).waitFor();
    await ann.said('Serial And Batch Bundle, version 1');
    expect(await ann.page.locator('article .badge').allInnerTexts()).toEqual(['draft']);
    await ann.said('cancel: It is a draft; only what is submitted can be cancelled.');
    await ann.page.goto(`${desk.url}/#/records/serial-no_unknown`);
    await ann.said('There is no such record.');
  });

  test('queries nothing that the key may not read, and says why nothing can be entered', async () => {
    const { apiKey, secret } = await createKey(desk.gateway().database, { name: 'reader', scopes: ['assets:read'] });
    expect(apiKey.name).toBe('reader');
    const ben = new Person(await desk.browser.openPage());
    const asked: string[] = [];
    ben.page.on('request', (request) => void asked.push(request.postData() ?? ''));
    await ben.page.goto(desk.url);
    await ben.giveKey(secret);
    await ben.said('4 in all');
    expect(await ben.page.getByRole('link', { name: 'New repair' }).count()).toBe(0);
    await ben.open('PRESS-2');
    await ben.said(/assets:write/);
    expect(await ben.field('Company').isEditable()).toBe(false);
    expect(await ben.page.locator('.lines a').count()).toBe(0);
    expect(asked.filter((body) => body.includes('serialNoRecord'))).toEqual([]);
    await ben.page.context().close();
  });

  test('logged no errors', () => {
    expect(desk.browser.complaints).toEqual([]);
  });

  async function createRecords() {
    const { createSerialNo, createSerialAndBatchBundle } = await desk.graphql(`mutation {
      createSerialNo(input: { serialNo: "GEAR-7", itemCode: "GEAR", company: "ACME" }) { record { id } }
      createSerialAndBatchBundle(input: { itemCode: "GEAR", company: "ACME", typeOfTransaction: "Inward", voucherType: "x" }) {
        record { id }
      }
    }`);
    expect(createSerialNo.record.id).toMatch(/^serial-no_/);
    bundle = createSerialAndBatchBundle.record.id;
    await createRepair('SÄGE-1', [{ itemCode: 'BELT', serialNo: 'GEAR-7' }]);
    await createRepair('PRESS-2', [
      { itemCode: 'SEAL', serialNo: 'GEAR-7' },
      { itemCode: 'SÄGEBLATT', serialNo: 'NONE OF\nOURS' },
      { itemCode: 'OIL' },
    ]);
    await createRepair('LATHE-3', []);
  }

  async function createRepair(asset: string, lines: object[]) {
    const consumedItems = lines.map((line) => ({ warehouse: 'Stores', ...line }));
    const create = 'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }';
    const { createAssetRepair } = await desk.graphql(create, {
      input: { asset, failureDate: '2026-11-20', consumedItems },
    });
    return createAssetRepair.record;
  }

  const link = (name: string) => ann.page.getByRole('link', { name, exact: true });
  const assets = () => ann.page.locator('.rows tbody a').allInnerTexts();
}
